package org.fleetgrad.runs.curves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.runs.kept.RecordedRun;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCurvesTest {

    private static final String G = "g";
    private static final RecordedRun NOBODY = RecordedRun.unrecorded(Path.of("."));
    private static final Task TEXT = new LanguageModel(64, 65);

    private final List<String> written = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final ManualClock clock = new ManualClock();

    /** Records its input. */
    private class Notes implements CurveFile {

        @Override
        public void begin(CurveRow first) throws IOException {
            written.add("begin " + first.version());
        }

        @Override
        public void add(CurveRow row) throws IOException {
            written.add(row.version()
                    + row.heldOut()
                            .map(held -> " (%d: %s)"
                                    .formatted(held.version(), held.accuracy().orElseThrow()))
                            .orElse(""));
        }

        @Override
        public void close() {
            written.add("closed");
        }
    }

    /** A file on a disk that gets full. */
    private final class Full extends Notes {

        @Override
        public void add(CurveRow row) throws IOException {
            throw new IOException("No space left on device");
        }

        @Override
        public String toString() {
            return "full.csv";
        }
    }

    @Test
    void shouldWriteWhatIsNewAndEachEvaluationOnce() {
        try (RunCurves curves = new RunCurves(List.of(new Notes()), OptionalInt.empty(), clock, told::add)) {
            look(curves, 1, ExampleRows.status(G, 10, null));
            look(curves, 2, ExampleRows.status(G, 10, null));
            look(curves, 3, ExampleRows.status(G, 30, 20L));
            look(curves, 4, ExampleRows.status(G, 40, 20L));
            look(curves, 5, ExampleRows.status(G, 40, 40L));
        }

        assertThat(written).containsExactly("begin 10", "10", "30 (20: 0.02)", "40", "40 (40: 0.04)", "closed");
    }

    @Test
    void shouldBeginAnewWhenAServerCameBackAtAnEarlierVersionOrInAnotherHistory() {
        RunCurves curves = new RunCurves(List.of(new Notes()), OptionalInt.empty(), clock, told::add);
        look(curves, 1, ExampleRows.status(G, 40, 30L));
        look(curves, 2, ExampleRows.status(G, 20, 10L));
        look(curves, 3, ExampleRows.status("h", 25, null));
        look(curves, 4, ExampleRows.status("h", 26, 10L));

        assertThat(written)
                .containsExactly(
                        "begin 40", "40 (30: 0.03)", "begin 20", "20 (10: 0.01)", "begin 25", "25", "26 (10: 0.01)");
    }

    @Test
    void shouldLeaveOutLooksOfALongRunButNeverItsEnd() {
        RunCurves curves = new RunCurves(List.of(new Notes()), OptionalInt.empty(), clock, told::add);
        look(curves, 86_400, ExampleRows.status(G, 10, null));
        look(curves, 86_401, ExampleRows.status(G, 20, null));
        curves.end(ExampleRows.status(G, 30, 30L), 86_402, 100);

        assertThat(written).containsExactly("begin 10", "10", "30 (30: 0.03)");
    }

    @Test
    void shouldGoOnWithoutAFileThatCannotBeWrittenAnyMore() {
        RunCurves curves = new RunCurves(List.of(new Full(), new Notes()), OptionalInt.empty(), clock, told::add);
        look(curves, 1, ExampleRows.status(G, 10, null));
        look(curves, 2, ExampleRows.status(G, 20, null));

        assertThat(written).containsExactly("begin 10", "closed", "begin 10", "10", "20");
        assertThat(told)
                .containsExactly("the curves continue without full.csv: java.io.IOException: No space left on device");
    }

    @Test
    void shouldGiveEachRunAFolderOfItsOwnInTheFolderOfTensorBoard(@TempDir Path folder) throws Exception {
        Path run = Files.createDirectory(folder.resolve("20260102-030405"));
        Path board = folder.resolve("board");

        try (RunCurves curves = RunCurves.open(
                run,
                Optional.of(board),
                Optional.empty(),
                NOBODY,
                new RunTarget.None(),
                false,
                TEXT,
                clock,
                told::add)) {
            look(curves, 1, ExampleRows.status(G, 10, null));
        }

        assertThat(Files.readAllLines(run.resolve("curves.csv"))).hasSize(2);
        try (Stream<Path> files = Files.list(board.resolve("20260102-030405"))) {
            assertThat(files)
                    .singleElement()
                    .satisfies(file -> assertThat(file.getFileName().toString()).startsWith("events.out.tfevents."));
        }
    }

    @Test
    void shouldRefuseAFolderInWhichNoFileCanBeMade(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");

        assertThatThrownBy(() -> RunCurves.open(
                        folder,
                        Optional.of(file),
                        Optional.empty(),
                        NOBODY,
                        new RunTarget.None(),
                        false,
                        TEXT,
                        clock,
                        told::add))
                .isInstanceOf(RunFailedException.class)
                .hasMessageStartingWith("--tensorboard %s: no event file can be made in %s"
                        .formatted(file, file.resolve(String.valueOf(folder.getFileName()))));
    }

    @Test
    void shouldWriteTheFiguresOfAText(@TempDir Path folder) throws Exception {
        try (RunCurves curves = RunCurves.open(
                folder,
                Optional.empty(),
                Optional.empty(),
                NOBODY,
                new RunTarget.None(),
                false,
                TEXT,
                clock,
                told::add)) {
            look(curves, 1, ExampleRows.text(10, 1.5, 2.25));
        }

        List<String> rows = Files.readAllLines(folder.resolve("curves.csv"));
        List<String> names = List.of(rows.get(0).split(",", -1));
        List<String> cells = List.of(rows.get(1).split(",", -1));
        assertThat(cells.get(names.indexOf("train/tokens_per_second"))).isEqualTo("6400");
        assertThat(cells.get(names.indexOf("heldout/accuracy"))).isEmpty();
        assertThat(cells.get(names.indexOf("heldout/accuracyTop5"))).isEmpty();
        assertThat(cells.get(names.indexOf("heldout/loss"))).isEqualTo("1.5");
        assertThat(cells.get(names.indexOf("heldout/perplexity"))).startsWith("4.4816890703");
        assertThat(cells.get(names.indexOf("heldout/bits_per_character"))).isEqualTo("2.25");
    }

    private static void look(RunCurves curves, double seconds, StatusReply status) {
        curves.look(status, seconds, 100);
    }
}
