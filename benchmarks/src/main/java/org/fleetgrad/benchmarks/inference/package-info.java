/** Measurements of answers while nothing else runs, and while a worker trains. */
@NullMarked
package org.fleetgrad.benchmarks.inference;

import org.jspecify.annotations.NullMarked;
