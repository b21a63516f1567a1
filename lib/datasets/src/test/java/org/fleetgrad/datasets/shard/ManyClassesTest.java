package org.fleetgrad.datasets.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.ImageDataset;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.Labels;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManyClassesTest {

    @TempDir
    private Path folder;

    @Test
    void shouldKeepLabelsAboveAByte() throws IOException {
        ImageSamples samples = samples(0, 999, 256, 255);
        Dataset dataset = new ImageDataset("imagenet", ClassNames.numbers(1000), samples, samples.slice(0, 2));

        ShardSet set = ShardSet.write(folder, dataset, 2);

        assertThat(ShardArchive.read(set.train().get(0)).images().labels()).isEqualTo(Labels.of(0, 999));
        assertThat(ShardArchive.read(set.train().get(1)).images().labels()).isEqualTo(Labels.of(256, 255));
        assertThat(((ImageSchema) ShardManifest.read(set.manifest()).schema()).classes())
                .hasSize(1000);
    }

    @Test
    void shouldWriteABytePerLabelUpTo256Classes() throws SafetensorsException {
        assertThat(typeOfLabels(256)).isEqualTo(DType.U8);
        assertThat(typeOfLabels(257)).isEqualTo(DType.I64);
    }

    private static DType typeOfLabels(int classes) throws SafetensorsException {
        ByteBuffer encoded = ShardData.encode(
                samples(1, 2),
                new ImageSchema(
                        ClassNames.numbers(classes),
                        samples(1, 2).shape(),
                        new Normalization(List.of(0f), List.of(1f))));
        return Safetensors.decode(encoded).layout().specs().stream()
                .filter(spec -> spec.name().equals("labels"))
                .findFirst()
                .orElseThrow()
                .dtype();
    }

    @Test
    void shouldReadTheLargestListOfClassesWithinTheLimits() throws IOException {
        // Quotation marks take two characters in JSON, and these names fill the limit of all names together.
        List<String> classes = IntStream.range(0, Labels.MAX_CLASSES)
                .mapToObj(i -> "%05d%s".formatted(i, "\"".repeat(3)))
                .toList();
        ImageSamples samples = samples(0, 65_535);

        ShardSet set = ShardSet.write(folder, new ImageDataset("all", classes, samples, samples), 1);

        assertThat(ShardArchive.read(set.test()).description().images().classes())
                .isEqualTo(classes);
        assertThat(((ImageSchema) ShardManifest.read(set.manifest()).schema()).classes())
                .isEqualTo(classes);
    }

    @Test
    void shouldBoundTheNamesOfClasses() {
        assertThatThrownBy(() -> ClassNames.require(Collections.nCopies(65_537, "x")))
                .hasMessage("a dataset must have 1 to 65536 classes; it has 65537");
        assertThatThrownBy(() -> ClassNames.require(Collections.nCopies(65_536, "x".repeat(9))))
                .hasMessage("the names of 65536 classes have 589824 bytes together, the limit is 524288");
        for (String bad : List.of("", "x".repeat(257), "a\nb")) {
            assertThatThrownBy(() -> ClassNames.require(List.of("fine", bad)))
                    .hasMessage("class 1 must have a name of 1 to 256 bytes without control characters; it has %d bytes"
                            .formatted(bad.length()));
        }
    }

    private static ImageSamples samples(int... labels) {
        return new ImageSamples(1, 1, 1, new byte[labels.length], Labels.of(labels));
    }
}
