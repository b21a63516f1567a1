/** The shard archive: one piece of a dataset, as data only, with everything that a worker needs to train on it. */
@NullMarked
package org.fleetgrad.datasets.shard;

import org.jspecify.annotations.NullMarked;
