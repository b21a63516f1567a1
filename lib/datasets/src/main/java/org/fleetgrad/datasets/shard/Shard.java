package org.fleetgrad.datasets.shard;

import java.util.List;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.files.Sha256;

/**
 * One piece of a dataset.
 *
 * @param description the description of the samples
 * @param samples     the samples
 */
public record Shard(DatasetDescription description, Samples samples) {

    /** Checks that the samples match the description: their number, shape and labels. */
    public Shard {
        if (!description.shape().equals(samples.shape())) {
            throw new IllegalArgumentException("the description states the shape %s, the images have %s"
                    .formatted(description.shape(), samples.shape()));
        }
        if (description.range().count() != samples.count()) {
            throw new IllegalArgumentException("the description states %d samples, there are %d"
                    .formatted(description.range().count(), samples.count()));
        }
        if (samples.largestLabel() >= description.classes().size()) {
            throw new IllegalArgumentException("the largest label is %d, there are %d classes"
                    .formatted(samples.largestLabel(), description.classes().size()));
        }
    }

    /** Makes a shard and its description, with the shape of the samples and the SHA-256 of their encoding. */
    public static Shard of(
            String name,
            Split split,
            List<String> classes,
            Normalization normalization,
            SampleRange range,
            Samples samples) {
        String sha256 = Sha256.of(ShardData.encode(samples, classes.size()));
        return new Shard(
                new DatasetDescription(name, split, classes, samples.shape(), normalization, range, sha256), samples);
    }
}
