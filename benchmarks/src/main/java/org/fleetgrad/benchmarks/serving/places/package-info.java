/** Training and answering together, for each place to serve from and each policy. */
@NullMarked
package org.fleetgrad.benchmarks.serving.places;

import org.jspecify.annotations.NullMarked;
