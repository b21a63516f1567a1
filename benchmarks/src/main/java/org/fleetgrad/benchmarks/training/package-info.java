/** Samples a second. */
@NullMarked
package org.fleetgrad.benchmarks.training;

import org.jspecify.annotations.NullMarked;
