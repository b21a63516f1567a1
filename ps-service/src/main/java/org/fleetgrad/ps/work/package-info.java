/** The work queue: the shard of each worker, and the progress of each shard. Without Spring and threads. */
@NullMarked
package org.fleetgrad.ps.work;

import org.jspecify.annotations.NullMarked;
