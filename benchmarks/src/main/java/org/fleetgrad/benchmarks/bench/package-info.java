/** The command {@code bench}: the list of measurements, and the display of their figures. */
@NullMarked
package org.fleetgrad.benchmarks.bench;

import org.jspecify.annotations.NullMarked;
