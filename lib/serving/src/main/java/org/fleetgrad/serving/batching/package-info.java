/** Computes requests that come at the same time as one batch. */
@NullMarked
package org.fleetgrad.serving.batching;

import org.jspecify.annotations.NullMarked;
