/** When a gradient is taken, and when the pending gradients make a step. */
@NullMarked
package org.fleetgrad.ps.step;

import org.jspecify.annotations.NullMarked;
