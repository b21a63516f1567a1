package org.fleetgrad.datasets.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.StoredRows;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.sampling.SplitMix64;

/** Rows in a file are those in memory, in the same order. */
class ScatteredRowsPropertyTest {

    private final Path folder = temporaryFolder();

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("scattered");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @AfterProperty
    void shouldLeaveNothing() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
        Files.delete(folder);
    }

    @Property(tries = 200)
    void shouldGiveTheRowsThatMemoryHas(
            @ForAll @IntRange(min = 1, max = 3000) int rows,
            @ForAll @IntRange(min = 1, max = 40) int width,
            @ForAll @IntRange(min = 1, max = 9) int targetCount,
            @ForAll @IntRange(min = 1, max = 100_000) int bucketBytes,
            @ForAll int seed)
            throws IOException {
        Random random = new Random(seed);
        RowStore.InMemory memory = new RowStore.InMemory(rows, width, targetCount);
        ScatteredRows scattered = new ScatteredRows(folder, rows, width, targetCount, bucketBytes);
        float[] row = new float[width];
        float[] targets = new float[targetCount];
        for (int place : SplitMix64.of(seed, 1).permutation(rows)) {
            for (int i = 0; i < width; i++) {
                row[i] = Float.intBitsToFloat(random.nextInt());
            }
            for (int i = 0; i < targetCount; i++) {
                targets[i] = place + 10_000f * i;
            }
            memory.put(place, row, targets);
            scattered.put(place, row, targets);
        }
        TableSamples expected = memory.samples("a table");

        StoredRows stored = scattered.samples("a table");

        assertThat(stored.count()).isEqualTo(rows);
        assertSame(stored.slice(0, rows), expected);
        for (int i = 0; i < 5; i++) {
            int from = random.nextInt(rows);
            int to = from + 1 + random.nextInt(rows - from);
            assertSame(stored.slice(from, to), expected.slice(from, to));
        }
    }

    private static void assertSame(TableSamples samples, TableSamples expected) {
        assertThat(samples.width()).isEqualTo(expected.width());
        assertThat(Arrays.equals(samples.targets(), expected.targets())).isTrue();
        for (int i = 0; i < expected.values().length; i++) {
            assertThat(Float.floatToRawIntBits(samples.values()[i]))
                    .isEqualTo(Float.floatToRawIntBits(expected.values()[i]));
        }
    }

    @Example
    void shouldRefuseRowsThatAreMissing() throws IOException {
        ScatteredRows scattered = new ScatteredRows(folder, 3, 1, 1, 8);
        scattered.put(2, new float[] {1}, new float[] {2});

        assertThatThrownBy(() -> scattered.samples("a.csv"))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessage("a.csv: there are 1 rows, and were 3; the files change");
    }

    @Example
    void shouldRefuseRowsThatTheDiskDoesNotTake() {
        assertThatThrownBy(() -> new ScatteredRows(folder, Integer.MAX_VALUE, 50_000_000, 1, 1 << 20))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContainingAll("2,147,483,647 rows take ", " while they are put in order", " bytes free");
    }
}
