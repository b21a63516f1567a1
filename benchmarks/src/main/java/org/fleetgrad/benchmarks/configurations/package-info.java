/** The table of all configurations of the pipeline that recipes/pipeline has. */
@NullMarked
package org.fleetgrad.benchmarks.configurations;

import org.jspecify.annotations.NullMarked;
