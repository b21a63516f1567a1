/** The arithmetic of a step, beside what the memory of the machine allows. */
@NullMarked
package org.fleetgrad.benchmarks.kernels;

import org.jspecify.annotations.NullMarked;
