/** The work queue: which worker has which shard, and how far each is. Free of Spring and of threads. */
@NullMarked
package org.fleetgrad.ps.work;

import org.jspecify.annotations.NullMarked;
