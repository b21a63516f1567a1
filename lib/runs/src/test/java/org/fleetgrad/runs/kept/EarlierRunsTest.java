package org.fleetgrad.runs.kept;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.protocol.messages.RunMessages.EarlierRunsReply;
import org.fleetgrad.protocol.messages.RunMessages.EarlierRunsReply.EarlierPoint;
import org.fleetgrad.protocol.messages.RunMessages.EarlierRunsReply.EarlierRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class EarlierRunsTest {

    private static final String HEAD = "time,seconds,version,heldout/version,heldout/accuracy,heldout/loss\n";

    @TempDir
    private Path folder;

    private final List<String> told = new ArrayList<>();

    private void run(String name, String rows) throws Exception {
        Path own = ExampleFacts.write(folder.resolve(name), ExampleFacts.of(name));
        Files.writeString(own.resolve("curves.csv"), HEAD + rows);
    }

    private List<EarlierRun> written(String dataset, String self) throws Exception {
        Path own = Files.createDirectories(folder.resolve(self));
        Optional<Path> file = EarlierRuns.write(own, dataset, KeptRuns.in(folder), told::add);
        return file.isEmpty()
                ? List.of()
                : JsonMapper.shared()
                        .readValue(Files.readAllBytes(file.get()), EarlierRunsReply.class)
                        .runs();
    }

    @Test
    void shouldWriteTheHeldOutCurvesOfOtherRunsOnTheDataset() throws Exception {
        run("one", "1,0.5,9,8,0.5,1.5\n2,1,12,,,\n3,1.5,20,18,0.75,\nx,y\n");
        run("empty", "1,0.5,9,,,\n");
        run("self", "1,0.5,9,8,0.5,1.5\n");
        String dataset = ExampleFacts.of("one").dataset();

        assertThat(written(dataset, "self"))
                .containsExactly(new EarlierRun(
                        "one", List.of(new EarlierPoint(0.5, 8, 0.5, 1.5), new EarlierPoint(1.5, 18, 0.75, null))));
        assertThat(written("another", "self")).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldWriteNoMoreRunsAndPointsThanThePageGets() throws Exception {
        StringBuilder rows = new StringBuilder();
        for (int i = 1; i <= 1_234; i++) {
            rows.append("1,%d,%d,%d,0.5,1\n".formatted(i, i, i));
        }
        for (int i = 0; i < 10; i++) {
            run("run" + i, rows.toString());
        }

        List<EarlierRun> runs = written(ExampleFacts.of("run0").dataset(), "self");

        assertThat(runs).hasSize(EarlierRunsReply.MOST_RUNS);
        assertThat(runs).allSatisfy(run -> {
            assertThat(run.points()).hasSizeBetween(400, EarlierRunsReply.MOST_POINTS);
            assertThat(run.points().get(run.points().size() - 1).version()).isEqualTo(1_234);
        });
    }

    /** The start of a run waits for it. */
    @Test
    void shouldReadNoMoreBytesThanAStartMayWaitFor() throws Exception {
        run("large", "1,0.5,9,8,0.5,1.5\n");
        run("small", "1,0.5,9,8,0.5,1.5\n");
        try (RandomAccessFile file = new RandomAccessFile(
                folder.resolve("large").resolve("curves.csv").toFile(), "rw")) {
            file.setLength(EarlierRuns.MOST_BYTES + 1);
        }

        assertThat(written(ExampleFacts.of("small").dataset(), "self"))
                .extracting(EarlierRun::name)
                .containsExactly("small");
        assertThat(told)
                .containsExactly(
                        "the dashboard leaves out 1 earlier runs: of their curves 100 MB are read before a run begins, for 2 s");
    }

    @Test
    void shouldReadForNoLongerThanAStartMayWait() throws Exception {
        for (int i = 0; i < 4; i++) {
            run("run" + i, "1,0.5,9,8,0.5,1.5\n");
        }
        Path own = Files.createDirectories(folder.resolve("self"));
        AtomicLong now = new AtomicLong();

        Optional<Path> file = EarlierRuns.write(
                own,
                ExampleFacts.of("run0").dataset(),
                KeptRuns.in(folder),
                told::add,
                () -> now.addAndGet(EarlierRuns.MOST_NANOS / 2));

        assertThat(JsonMapper.shared()
                        .readValue(Files.readAllBytes(file.orElseThrow()), EarlierRunsReply.class)
                        .runs())
                .hasSize(2);
        assertThat(told).singleElement().asString().startsWith("the dashboard leaves out 2 earlier runs");
    }
}
