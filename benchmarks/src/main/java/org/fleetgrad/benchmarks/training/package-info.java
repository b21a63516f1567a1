/** Samples per second of training. */
@NullMarked
package org.fleetgrad.benchmarks.training;

import org.jspecify.annotations.NullMarked;
