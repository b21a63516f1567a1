/** How a shard reaches the worker. */
@NullMarked
package org.fleetgrad.worker.data;

import org.jspecify.annotations.NullMarked;
