/** Where a run's workers are, and what follows from that for the server's address, the keys and the shards. */
@NullMarked
package org.fleetgrad.cli.place;

import org.jspecify.annotations.NullMarked;
