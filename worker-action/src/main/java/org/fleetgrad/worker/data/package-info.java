/** Fetching shards. */
@NullMarked
package org.fleetgrad.worker.data;

import org.jspecify.annotations.NullMarked;
