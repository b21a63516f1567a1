package org.fleetgrad.inference;

import java.nio.file.Path;
import java.time.Duration;
import org.fleetgrad.inference.learning.LearningLimits;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of learning from feedback, {@code inference.feedback.learn.*}.
 *
 * @param folder       of the collected shards; without it nothing is learned and no input is kept
 * @param inputs       memory of the inputs that wait for their labels
 * @param shardSamples samples of a complete shard
 * @param shardAge     time after which fewer are a shard, too
 * @param folderSize   disk of the shards that nobody has taken yet: the oldest make room
 */
public record LearnProperties(
        @Nullable Path folder,
        @DefaultValue("64MB") DataSize inputs,
        @DefaultValue("1000") int shardSamples,
        @DefaultValue("1m") Duration shardAge,
        @DefaultValue("128MB") DataSize folderSize) {

    private static final DataSize MOST_MEMORY = DataSize.ofGigabytes(16);
    private static final DataSize MOST_DISK = DataSize.ofGigabytes(1024);
    private static final int MOST_SAMPLES = 10_000;
    private static final Duration MOST_AGE = Duration.ofHours(24);

    /** Checks the values that the types allow but the service does not. */
    public LearnProperties {
        InferenceProperties.requireSize("feedback.learn.inputs", inputs, MOST_MEMORY, "64MB");
        InferenceProperties.requireFrom1("feedback.learn.shard-samples", shardSamples, MOST_SAMPLES);
        InferenceProperties.require(
                !shardAge.isNegative() && !shardAge.isZero() && shardAge.compareTo(MOST_AGE) <= 0,
                "feedback.learn.shard-age",
                shardAge,
                "a time up to 24h, such as 1m");
        InferenceProperties.requireSize("feedback.learn.folder-size", folderSize, MOST_DISK, "128MB");
    }

    LearningLimits limits(Path chosen) {
        return new LearningLimits(chosen, inputs.toBytes(), shardSamples, shardAge, folderSize.toBytes());
    }
}
