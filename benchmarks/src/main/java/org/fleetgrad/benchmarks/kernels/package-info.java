/** The arithmetic of a step, compared with the memory bandwidth of the machine. */
@NullMarked
package org.fleetgrad.benchmarks.kernels;

import org.jspecify.annotations.NullMarked;
