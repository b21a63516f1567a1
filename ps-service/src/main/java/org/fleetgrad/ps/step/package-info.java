/** When a gradient is taken, and when the gradients that wait make a step. */
@NullMarked
package org.fleetgrad.ps.step;

import org.jspecify.annotations.NullMarked;
