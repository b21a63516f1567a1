/** The places where a run's workers can be, and what follows from that for the server's address, the keys and the shards. */
@NullMarked
package org.fleetgrad.runs.place;

import org.jspecify.annotations.NullMarked;
