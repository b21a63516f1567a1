/** Pauses between attempts. */
@NullMarked
package org.fleetgrad.files.retry;

import org.jspecify.annotations.NullMarked;
