/** The work of a run: a dataset's shards, epoch after epoch, and positions in them. */
@NullMarked
package org.fleetgrad.protocol.work;

import org.jspecify.annotations.NullMarked;
