/** The time of one exchange of a model, alone and under load, and the memory that it takes. */
@NullMarked
package org.fleetgrad.benchmarks.exchange;

import org.jspecify.annotations.NullMarked;
