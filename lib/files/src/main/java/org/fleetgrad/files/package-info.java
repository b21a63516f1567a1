/** Files that appear whole or not at all, and their SHA-256. */
@NullMarked
package org.fleetgrad.files;

import org.jspecify.annotations.NullMarked;
