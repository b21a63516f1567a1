package org.fleetgrad.datasets.imbalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.LabelledTexts;
import org.fleetgrad.datasets.Labels;
import org.fleetgrad.datasets.StoredRows;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.TextSamples;
import org.fleetgrad.datasets.text.Tokens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassCountsTest {

    @Test
    void shouldCountTheSamplesOfEachKind() {
        assertThat(ClassCounts.of(new ImageSamples(1, 1, 1, new byte[3], new byte[] {2, 0, 2}), 4))
                .containsExactly(1, 0, 2, 0);
        assertThat(ClassCounts.of(new TableSamples(new float[3], 1, new float[] {1, 1, 0}), 2))
                .containsExactly(1, 2);
        assertThat(ClassCounts.of(new LabelledTexts(Tokens.of(1, 2), 1, Labels.of(300, 0)), 301))
                .hasSize(301)
                .endsWith(1);
    }

    /** More rows than are in memory at a time, in a file. */
    @Test
    void shouldCountStoredRows(@TempDir Path folder) throws Exception {
        int rows = 40_000;
        ByteBuffer records =
                ByteBuffer.allocate(rows * StoredRows.recordBytes(1, 1)).order(ByteOrder.LITTLE_ENDIAN);
        for (int place = 0; place < rows; place++) {
            records.putInt(place).putFloat(0).putFloat(place % 10 == 0 ? 1 : 0);
        }
        try (FileChannel file = FileChannel.open(
                folder.resolve("rows"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            int unused = file.write(records.flip());

            assertThat(ClassCounts.of(new StoredRows(file, rows, 1, 1, rows), 2))
                    .containsExactly(36_000, 4_000);
        }
    }

    @Test
    void shouldRefuseATextWithoutClasses() {
        assertThatThrownBy(() -> ClassCounts.of(TextSamples.training(Tokens.of(1, 2, 3), 1), 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("TextSamples have no classes");
    }
}
