package org.fleetgrad.e2e;

import java.util.List;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.Split;

/** Digits as the only shard of a dataset, normalized as MNIST usually is. */
final class DigitsShard {

    private DigitsShard() {}

    static Shard of(ImageSamples samples) {
        return Shard.of(
                "digits",
                Split.TRAIN,
                IntStream.range(0, 10).mapToObj(Integer::toString).toList(),
                new Normalization(List.of(0.1307f), List.of(0.3081f)),
                new SampleRange(0, samples.count(), samples.count()),
                samples);
    }
}
