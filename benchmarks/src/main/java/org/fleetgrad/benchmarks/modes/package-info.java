/**
 * The table of training modes, staleness rules, workers and kills, measured with real processes that are really killed.
 */
@NullMarked
package org.fleetgrad.benchmarks.modes;

import org.jspecify.annotations.NullMarked;
