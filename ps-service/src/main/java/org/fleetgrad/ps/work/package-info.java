/** The work queue: the shard of each worker, and the progress of each shard. Free of Spring and of threads. */
@NullMarked
package org.fleetgrad.ps.work;

import org.jspecify.annotations.NullMarked;
