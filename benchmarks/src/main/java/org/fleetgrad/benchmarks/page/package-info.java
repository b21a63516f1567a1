/** Pages of the documentation of which a command writes a part. */
@NullMarked
package org.fleetgrad.benchmarks.page;

import org.jspecify.annotations.NullMarked;
