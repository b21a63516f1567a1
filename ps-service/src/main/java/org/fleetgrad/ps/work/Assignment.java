package org.fleetgrad.ps.work;

import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;

/**
 * A shard to train on.
 *
 * @param cursor position to begin at
 * @param shard  the shard
 */
public record Assignment(Cursor cursor, PlannedShard shard) {}
