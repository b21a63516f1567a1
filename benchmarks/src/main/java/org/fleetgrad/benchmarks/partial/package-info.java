/** Results of a long measurement, kept one by one, so that an aborted run is continued. */
@NullMarked
package org.fleetgrad.benchmarks.partial;

import org.jspecify.annotations.NullMarked;
