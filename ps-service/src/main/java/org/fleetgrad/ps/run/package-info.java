/** Everything that changes a run: gradients become steps; histories begin, roll back, and recover. */
@NullMarked
package org.fleetgrad.ps.run;

import org.jspecify.annotations.NullMarked;
