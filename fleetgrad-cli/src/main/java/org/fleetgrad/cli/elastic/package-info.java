/** Decides how many workers are worth keeping, by measuring the throughput that each adds. */
@NullMarked
package org.fleetgrad.cli.elastic;

import org.jspecify.annotations.NullMarked;
