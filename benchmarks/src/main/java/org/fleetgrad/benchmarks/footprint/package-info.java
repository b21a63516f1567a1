/** The memory and the start time of a worker. */
@NullMarked
package org.fleetgrad.benchmarks.footprint;

import org.jspecify.annotations.NullMarked;
