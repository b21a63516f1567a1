/** The progress of a run and its workers: answered pushes, counts, and the workers' clocks. */
@NullMarked
package org.fleetgrad.ps.progress;

import org.jspecify.annotations.NullMarked;
