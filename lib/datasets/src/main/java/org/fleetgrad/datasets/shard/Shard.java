package org.fleetgrad.datasets.shard;

import java.util.List;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.files.Sha256;

/**
 * One piece of a dataset.
 *
 * @param description what the samples are
 * @param samples     the samples
 */
public record Shard(DatasetDescription description, Samples samples) {

    /** Checks that the samples are as many, of the shape and of the classes that the description states. */
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
            throw new IllegalArgumentException("there are %d classes and the label %d"
                    .formatted(description.classes().size(), samples.largestLabel()));
        }
    }

    /** Describes samples: takes their shape and the SHA-256 of their encoding. */
    public static Shard of(
            String name,
            Split split,
            List<String> classes,
            Normalization normalization,
            SampleRange range,
            Samples samples) {
        String sha256 = Sha256.of(ShardData.encode(samples));
        return new Shard(
                new DatasetDescription(name, split, classes, samples.shape(), normalization, range, sha256), samples);
    }
}
