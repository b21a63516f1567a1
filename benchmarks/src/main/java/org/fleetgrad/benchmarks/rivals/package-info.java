/** Other programs that do the same, if this machine has them. */
@NullMarked
package org.fleetgrad.benchmarks.rivals;

import org.jspecify.annotations.NullMarked;
