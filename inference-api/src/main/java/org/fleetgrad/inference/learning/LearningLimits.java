package org.fleetgrad.inference.learning;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What learning from feedback may take.
 *
 * @param folder       of the collected shards
 * @param inputBytes   memory of the inputs that wait for their labels
 * @param shardSamples samples of a complete shard
 * @param shardAge     time after which fewer are a shard, too
 * @param folderBytes  disk of the shards that nobody has taken yet
 */
public record LearningLimits(Path folder, long inputBytes, int shardSamples, Duration shardAge, long folderBytes) {}
