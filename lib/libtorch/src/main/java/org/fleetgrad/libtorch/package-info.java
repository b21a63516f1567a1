/** Runs networks on DJL's PyTorch engine: forward, loss, gradient, prediction. The API has no type of DJL. */
@NullMarked
package org.fleetgrad.libtorch;

import org.jspecify.annotations.NullMarked;
