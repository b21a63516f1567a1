/** How far a run and its workers are: answered pushes, counts, and the workers' clocks. */
@NullMarked
package org.fleetgrad.ps.progress;

import org.jspecify.annotations.NullMarked;
