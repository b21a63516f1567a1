/** Programs of others that do the same, where this machine has them. */
@NullMarked
package org.fleetgrad.benchmarks.rivals;

import org.jspecify.annotations.NullMarked;
