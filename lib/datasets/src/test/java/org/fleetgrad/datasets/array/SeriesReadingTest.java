package org.fleetgrad.datasets.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.SeriesDataset;
import org.fleetgrad.datasets.SeriesSchema;
import org.fleetgrad.datasets.SeriesSchema.Channel;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.folder.DatasetFolder;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.table.TableOptions;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeriesReadingTest {

    private static final int SAMPLES = 40;

    @TempDir
    private Path folder;

    /** Value i of channel c of sample s is 100 c + s + i. */
    private static byte[] twoChannels(int samples) {
        float[] values = new float[samples * 2 * 3];
        for (int i = 0; i < values.length; i++) {
            int value = 100 * (i / 3 % 2) + i / 6 + i % 3;
            values[i] = value;
        }
        return TestArrays.floats(List.of(samples, 2, 3), values);
    }

    private static byte[] classes(int samples) {
        return TestArrays.longs(
                List.of(samples),
                IntStream.range(0, samples)
                        .mapToLong(i -> List.of(2L, 10L, -1L).get(i % 3))
                        .toArray());
    }

    @Test
    void shouldStandardizeEachChannelByTheTrainingSamples() throws IOException {
        Files.write(folder.resolve("x.npy"), twoChannels(SAMPLES));
        Files.write(folder.resolve("y.npy"), classes(SAMPLES));
        Files.write(folder.resolve("x_test.npy"), twoChannels(2));
        Files.write(folder.resolve("y_test.npy"), TestArrays.longs(List.of(2, 1), 10, 2));

        SeriesDataset dataset = TestArrays.read(folder);

        // Of s + i, with s from 0 to 39 and i from 0 to 2.
        double mean = 19.5 + 1;
        double std = Math.sqrt((SAMPLES * SAMPLES - 1) / 12.0 + 2.0 / 3);
        SeriesSchema schema = dataset.schema();
        assertThat(schema.length()).isEqualTo(3);
        assertThat(schema.channels()).hasSize(2);
        for (int channel = 0; channel < 2; channel++) {
            assertThat(schema.channels().get(channel).mean()).isCloseTo(mean + 100 * channel, within(1e-9));
            assertThat(schema.channels().get(channel).std()).isCloseTo(std, within(1e-9));
        }
        assertThat(schema.target()).isEqualTo(new ClassTarget("y", List.of("-1", "2", "10")));
        assertThat(dataset.train().count()).isEqualTo(SAMPLES);
        assertThat(dataset.test().targets()).containsExactly(2, 1);
        assertThat(dataset.test().values()[3]).isEqualTo((float) ((100 - mean - 100) / std));
        assertThat(dataset.test().values()[11]).isEqualTo((float) ((103 - mean - 100) / std));
        assertThat(sorted(dataset.train()))
                .containsExactly(expected(mean, std).stream().sorted().toArray(Float[]::new));
        assertThat(dataset.notes())
                .containsExactly(
                        "40 series of 2 channels of 3 values are trained on, and 2 held out; they are float32",
                        "y is the target, 3 classes: -1, 2, 10");
    }

    private static List<Float> expected(double mean, double std) {
        return IntStream.range(0, SAMPLES)
                .mapToObj(sample -> (float) ((sample - mean) / std))
                .toList();
    }

    /** The first value of each sample. */
    private static Float[] sorted(TableSamples samples) {
        return IntStream.range(0, samples.count())
                .mapToObj(i -> samples.values()[i * samples.width()])
                .sorted()
                .toArray(Float[]::new);
    }

    @Test
    void shouldHoldOutATenthOfEachClassTheSameEachTime() throws IOException {
        Path file = TestArrays.npz(
                folder.resolve("waves.npz"),
                Map.of("inputs", twoChannels(SAMPLES), "targets", classes(SAMPLES), "times", new byte[1]));

        SeriesDataset dataset = TestArrays.read(file);

        assertThat(dataset.name()).isEqualTo("waves");
        // 14, 13 and 13 of the classes.
        assertThat(dataset.test().count()).isEqualTo(3);
        assertThat(dataset.train().count()).isEqualTo(37);
        assertThat(dataset.test().targets()).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(TestArrays.read(file).train().values())
                .isEqualTo(dataset.train().values());
        assertThat(dataset.notes()).endsWith("left out: times");
        SeriesDataset half =
                (SeriesDataset) DatasetFolder.read(file, TestArrays.options(OptionalDouble.of(0.5), TableOptions.NONE));
        assertThat(half.test().count()).isEqualTo(7 + 6 + 6);
    }

    @Test
    void shouldPredictNumbersOfFloatsAndClassesOfWholeNumbersUnlessTheUserSaysOtherwise() throws IOException {
        float[] numbers = new float[SAMPLES];
        for (int i = 0; i < SAMPLES; i++) {
            numbers[i] = i % 2;
        }
        Path floats = TestArrays.npz(
                folder.resolve("a.npz"),
                Map.of("x", twoChannels(SAMPLES), "y", TestArrays.floats(List.of(SAMPLES), numbers)));
        Path whole = TestArrays.npz(folder.resolve("b.npz"), Map.of("x", twoChannels(SAMPLES), "y", classes(SAMPLES)));
        TableOptions number = TableOptions.of(List.of("y"), List.of("y:number"), List.of());
        TableOptions category = TableOptions.of(List.of("y"), List.of("y:category"), List.of());

        assertThat(TestArrays.read(floats).schema().target()).isInstanceOf(NumberTarget.class);
        assertThat(((SeriesDataset) DatasetFolder.read(floats, TestArrays.options(OptionalDouble.empty(), category)))
                        .schema()
                        .target())
                .isEqualTo(new ClassTarget("y", List.of("0", "1")));
        SeriesDataset asNumbers =
                (SeriesDataset) DatasetFolder.read(whole, TestArrays.options(OptionalDouble.empty(), number));
        NumberTarget target = (NumberTarget) asNumbers.schema().target();
        float[] units = new float[asNumbers.train().count()];
        for (int i = 0; i < units.length; i++) {
            units[i] = Math.round(target.inUnits(asNumbers.train().targets()[i]));
        }
        assertThat(Arrays.copyOf(units, 30)).containsOnly(2, 10, -1);
        assertThatThrownBy(() -> DatasetFolder.read(
                        whole,
                        TestArrays.options(
                                OptionalDouble.empty(), TableOptions.of(List.of("z"), List.of(), List.of()))))
                .hasMessageContaining("the targets are in the array 'y'; --target is 'z'");
        assertThatThrownBy(() -> DatasetFolder.read(
                        whole,
                        TestArrays.options(
                                OptionalDouble.empty(), TableOptions.of(List.of("y"), List.of("x:number"), List.of()))))
                .hasMessageContaining("--column and --drop name the target alone, 'y'; there is 'x'");
    }

    @Test
    void shouldTravelInShardsAndInTheMetadataOfParameterSets() throws IOException {
        Path file = TestArrays.npz(folder.resolve("a.npz"), Map.of("x", twoChannels(SAMPLES), "y", classes(SAMPLES)));
        SeriesDataset dataset = TestArrays.read(file);

        ShardSet set =
                ShardSet.write(folder.resolve("shards"), dataset, 2, dataset.schema(), (written, done, total) -> {});

        Shard shard = ShardArchive.read(set.train().get(0));
        assertThat(shard.description().schema()).isEqualTo(dataset.schema());
        assertThat(((TableSamples) shard.samples()).values())
                .isEqualTo(dataset.train().slice(0, shard.samples().count()).values());
        Map<String, String> metadata = dataset.schema().metadata();
        assertThat(SeriesJson.parse(metadata.getOrDefault("series", ""))).isEqualTo(dataset.schema());
        assertThat(metadata).containsEntry("classes", "[\"-1\",\"2\",\"10\"]");
    }

    @Test
    void shouldRefuseASchemaThatBreaksARule() {
        SeriesSchema schema = new SeriesSchema(3, List.of(new Channel(1, 2)), new ClassTarget("y", List.of("2", "10")));
        String json = SeriesJson.write(schema);

        assertThat(json)
                .isEqualTo(
                        "{\"length\":3,\"channels\":[{\"mean\":1.0,\"std\":2.0}],\"target\":{\"name\":\"y\",\"kind\":\"classes\",\"classes\":[\"2\",\"10\"]}}");
        assertThat(SeriesJson.parse(json)).isEqualTo(schema);
        assertThatThrownBy(() -> SeriesJson.parse(json.replace("2.0", "0.0")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a positive, finite standard deviation; they are 1.0 and 0.0");
        assertThatThrownBy(() -> SeriesJson.parse(json.replace("\"length\":3", "\"length\":1048577")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a series must have 1 to 1,048,576 values; it has 1 channels of 1,048,577");
        assertThatThrownBy(() -> SeriesJson.parse(json.replace("\"10\"", "\"02\"")))
                .hasMessageContaining("must be sorted; '2' is before '02'");
    }
}
