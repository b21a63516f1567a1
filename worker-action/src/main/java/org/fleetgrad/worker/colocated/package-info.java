/** A worker that answers predictions while it trains: how it reads its network, and the HTTP in front of it. */
@NullMarked
package org.fleetgrad.worker.colocated;

import org.jspecify.annotations.NullMarked;
