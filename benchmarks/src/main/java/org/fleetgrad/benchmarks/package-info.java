/** Measurements of the running programs, each compared with a limit or rival in the same run. */
@NullMarked
package org.fleetgrad.benchmarks;

import org.jspecify.annotations.NullMarked;
