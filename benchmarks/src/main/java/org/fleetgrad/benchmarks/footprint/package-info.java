/** What a worker needs in memory and time. */
@NullMarked
package org.fleetgrad.benchmarks.footprint;

import org.jspecify.annotations.NullMarked;
