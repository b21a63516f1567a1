package org.fleetgrad.worker;

import java.util.Arrays;
import java.util.Collections;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.datasets.synth.SyntheticDigits;

/** Small shards for tests. */
public final class TestShards {

    private TestShards() {}

    public static Shard digits(int count, long seed) {
        return of(SyntheticDigits.generate(count, seed), 10);
    }

    /** Digits that all have the label {@code label}. */
    public static Shard digitsOf(int label, int count) {
        ImageSamples digits = SyntheticDigits.generate(count, 1);
        byte[] labels = new byte[count];
        Arrays.fill(labels, (byte) label);
        return of(new ImageSamples(1, 28, 28, digits.images(), labels), 10);
    }

    public static Shard of(ImageSamples samples, int classes) {
        return Shard.of(
                "digits",
                Split.TRAIN,
                IntStream.range(0, classes).mapToObj(Integer::toString).toList(),
                new Normalization(
                        Collections.nCopies(samples.channels(), 0.1307f),
                        Collections.nCopies(samples.channels(), 0.3081f)),
                new SampleRange(0, samples.count(), samples.count()),
                samples);
    }
}
