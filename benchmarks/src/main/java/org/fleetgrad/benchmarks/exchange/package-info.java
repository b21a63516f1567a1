/** How long one exchange of a model takes, alone and beside others, and the memory that it takes. */
@NullMarked
package org.fleetgrad.benchmarks.exchange;

import org.jspecify.annotations.NullMarked;
