package org.fleetgrad.datasets.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;

/** Small shards for tests. */
final class TestShards {

    private TestShards() {}

    /** Returns {@code count} images of [1, 2, 3]. Neighbouring bytes differ; labels repeat 0, 1, 2. */
    static ImageSamples samples(int count) {
        byte[] images = new byte[count * 6];
        byte[] labels = new byte[count];
        for (int i = 0; i < images.length; i++) {
            images[i] = (byte) (i * 7);
        }
        for (int i = 0; i < count; i++) {
            labels[i] = (byte) (i % 3);
        }
        return new ImageSamples(1, 2, 3, images, labels);
    }

    /** The parts, one after the other, are the whole. */
    static void assertJoined(List<ImageSamples> parts, ImageSamples whole) {
        ByteArrayOutputStream images = new ByteArrayOutputStream();
        parts.forEach(part -> images.writeBytes(part.images()));
        assertThat(images.toByteArray()).isEqualTo(whole.images());
        assertThat(parts.stream()
                        .flatMapToInt(part -> Arrays.stream(part.labels().toArray()))
                        .toArray())
                .isEqualTo(whole.labels().toArray());
    }

    static Shard shard() {
        return Shard.of(
                "tiny",
                Split.TRAIN,
                List.of("zero", "one", "two"),
                new Normalization(List.of(0.1307f), List.of(0.3081f)),
                new SampleRange(5, 5, 20),
                samples(5));
    }
}
