/** The command line {@code fleetgrad}: its root, and the commands that start a run or the benchmarks. */
@NullMarked
package org.fleetgrad.cli;

import org.jspecify.annotations.NullMarked;
