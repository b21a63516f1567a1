package org.fleetgrad.load.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvJoinTest {

    @TempDir
    private Path folder;

    @Test
    void shouldJoinTwoHostsIntoTheResultThatOneWouldHave() throws IOException {
        LoadRecorder both = new LoadRecorder(1_000, row -> {});
        Path one = folder.resolve("one.csv");
        Path two = folder.resolve("two.csv");
        try (CsvFile first = CsvFile.create(one);
                CsvFile second = CsvFile.create(two)) {
            for (int i = 0; i < 50; i++) {
                LoadRow early = Rows.answered(1_000 + 10 * i, i / 25, 0, 1 + i, i % 2, i);
                LoadRow late = Rows.answered(1_005 + 10 * i, i / 25, 0, 2 + i, 1, i);
                first.add(early);
                second.add(late);
                both.add(early);
                both.add(late);
            }
            LoadRow failed = Rows.failed(1_600, 3, 0, "no connection, \"refused\"");
            second.add(failed);
            both.add(failed);
        }

        CsvJoin join = new CsvJoin(List.of(one, two));
        LoadRecorder joined = new LoadRecorder(join.beginMs(), row -> {});
        join.into(joined);

        assertThat(join.beginMs()).isEqualTo(1_000);
        LoadResult result = joined.result();
        LoadResult expected = both.result();
        assertThat(result.course()).isEqualTo(expected.course());
        assertThat(result.all())
                .usingRecursiveComparison()
                .ignoringFields("clients")
                .isEqualTo(expected.all());
        // Client 0 of each host is a client of its own.
        assertThat(result.all().clients()).isEqualTo(2);
        assertThat(result.phases()).extracting(LoadFigures::requests).containsExactly(51L, 50L);
    }

    @Test
    void shouldNameFileAndLineOfWhatItCannotRead() throws IOException {
        Path file = folder.resolve("broken.csv");
        Files.writeString(file, CsvFormat.HEAD + "\n1,0,0,1.0,200,1,1,g,1,\n1,0,0,soon,200,1,1,g,1,\n");

        assertThatIOException()
                .isThrownBy(() -> new CsvJoin(List.of(file)).beginMs())
                .withMessageContaining("broken.csv, line 3: ")
                .withMessageContaining("soon");
    }

    @Test
    void shouldRefuseAnotherFile() throws IOException {
        Path file = folder.resolve("other.csv");
        Files.writeString(file, "a,b\n1,2\n");

        assertThatIOException()
                .isThrownBy(() -> new CsvJoin(List.of(file)).beginMs())
                .withMessageContaining("is no CSV of fleetgrad load");
    }

    @Test
    void shouldReadWhatItWrites() {
        LoadRow failed = Rows.failed(12.345, 1.5, 503, "status 503, \"busy\"");
        LoadRow answered = Rows.answered(12.345, 2, 3, 1.5, 1, 9);

        assertThat(CsvFormat.read(CsvFormat.line(failed))).isEqualTo(failed);
        assertThat(CsvFormat.read(CsvFormat.line(answered))).isEqualTo(answered);
    }
}
