/** What goes from one stage to the next: activations forward, their gradients backward. */
@NullMarked
package org.fleetgrad.pipeline.frame;

import org.jspecify.annotations.NullMarked;
