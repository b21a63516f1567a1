/** The results of measurements. */
@NullMarked
package org.fleetgrad.benchmarks.figures;

import org.jspecify.annotations.NullMarked;
