/** The cost of durability, and the time of a recovery. */
@NullMarked
package org.fleetgrad.benchmarks.durability;

import org.jspecify.annotations.NullMarked;
