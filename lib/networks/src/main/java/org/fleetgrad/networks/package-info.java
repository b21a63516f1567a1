/**
 * The networks, over DJL's PyTorch engine and behind an API without a type of DJL: forward, loss, gradient, predict.
 */
@NullMarked
package org.fleetgrad.networks;

import org.jspecify.annotations.NullMarked;
