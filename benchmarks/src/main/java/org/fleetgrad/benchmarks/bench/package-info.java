/** The command: which measurements there are, and how their figures are shown. */
@NullMarked
package org.fleetgrad.benchmarks.bench;

import org.jspecify.annotations.NullMarked;
