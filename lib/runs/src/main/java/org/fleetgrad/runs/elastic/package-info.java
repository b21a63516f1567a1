/** Decides how many workers are worth keeping, by measuring the throughput that each adds. */
@NullMarked
package org.fleetgrad.runs.elastic;

import org.jspecify.annotations.NullMarked;
