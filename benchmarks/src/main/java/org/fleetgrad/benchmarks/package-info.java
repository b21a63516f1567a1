/** Measurements of the running programs, each beside its limit from the same run. */
@NullMarked
package org.fleetgrad.benchmarks;

import org.jspecify.annotations.NullMarked;
