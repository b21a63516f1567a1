/** Computes concurrent requests as one batch. */
@NullMarked
package org.fleetgrad.serving.batching;

import org.jspecify.annotations.NullMarked;
