/** Files that are written atomically, and their SHA-256. */
@NullMarked
package org.fleetgrad.files;

import org.jspecify.annotations.NullMarked;
