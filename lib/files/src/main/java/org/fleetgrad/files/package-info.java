/** Files that appear whole or not at all, and their digests. */
@NullMarked
package org.fleetgrad.files;

import org.jspecify.annotations.NullMarked;
