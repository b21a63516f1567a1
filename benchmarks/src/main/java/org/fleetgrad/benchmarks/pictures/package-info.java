/** Pictures of pipelines for the documentation, drawn from a simulation. */
@NullMarked
package org.fleetgrad.benchmarks.pictures;

import org.jspecify.annotations.NullMarked;
