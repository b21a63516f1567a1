/** Minimum transfer rates: ends exchanges with another machine that are stalled or too slow. */
@NullMarked
package org.fleetgrad.files.transfer;

import org.jspecify.annotations.NullMarked;
