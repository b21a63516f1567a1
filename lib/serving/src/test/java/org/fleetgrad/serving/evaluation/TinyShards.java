package org.fleetgrad.serving.evaluation;

import java.util.List;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.Split;

/** Shards of images of two pixels in two classes. */
public final class TinyShards {

    public static final Normalization NORMALIZATION = new Normalization(List.of(0.5f), List.of(0.25f));
    public static final List<String> CLASSES = List.of("no", "yes");

    private TinyShards() {}

    public static ImageSamples samples(int count) {
        byte[] images = new byte[2 * count];
        byte[] labels = new byte[count];
        for (int i = 0; i < count; i++) {
            images[2 * i] = (byte) (i + 1);
            labels[i] = (byte) (i % 2);
        }
        return new ImageSamples(1, 1, 2, images, labels);
    }

    public static Shard shard(int count) {
        return Shard.of("tiny", Split.TEST, CLASSES, NORMALIZATION, new SampleRange(0, count, count), samples(count));
    }
}
