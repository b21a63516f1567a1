/** The way of a gradient: modes, the one applier, steps, and what each push is answered. */
@NullMarked
package org.fleetgrad.ps.training;

import org.jspecify.annotations.NullMarked;
