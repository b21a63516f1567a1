/** The table of training modes, staleness rules, workers and kills: real processes, real deaths. */
@NullMarked
package org.fleetgrad.benchmarks.modes;

import org.jspecify.annotations.NullMarked;
