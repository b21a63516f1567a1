/** The built programs, run as processes of a measurement. */
@NullMarked
package org.fleetgrad.benchmarks.process;

import org.jspecify.annotations.NullMarked;
