/** What one stage sends to another: activations forward, their gradients backward. */
@NullMarked
package org.fleetgrad.pipeline.frame;

import org.jspecify.annotations.NullMarked;
