/** Pages of the documentation with a part that a command writes. */
@NullMarked
package org.fleetgrad.benchmarks.page;

import org.jspecify.annotations.NullMarked;
