/** The dataset of a run: prepared, cut into shards, and served to the workers. */
@NullMarked
package org.fleetgrad.runs.shards;

import org.jspecify.annotations.NullMarked;
