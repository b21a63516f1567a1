package org.fleetgrad.ps.durability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The time series of a run is part of its checkpoints. */
@Timeout(60)
class CourseAfterRestartTest {

    private static final RunHistory.State COURSE = new RunHistory.State(
            List.of(
                    new RunHistory.Point(1000, true, 0, 0, Optional.empty(), 0, 0, 1, Map.of()),
                    new RunHistory.Point(
                            1250, false, 3, 96, Optional.of(0.1 + 0.2), 3, 1, 2, Map.of("applied", 3L, "busy", 1L))),
            List.of(
                    new RunHistory.Evaluation(1300, 2, Optional.of(0.25), Optional.of(0.75), Optional.of(2.5)),
                    new RunHistory.Evaluation(1400, 3, Optional.of(1.0), Optional.empty(), Optional.empty())),
            List.of(new RunHistory.Checkpoint(1500, 1, 3)),
            List.of(new RunHistory.Rollback(1600, 7, 3)));

    @TempDir(factory = InMemory.class)
    private Path folder;

    private final DurableRun durable = new DurableRun(TrainingRun.plain(new TrainingMode.Async(1), 64));

    @Test
    void shouldComeBackAsItWasAtTheCheckpoint() {
        Path killed;
        try (TrainingRun run = durable.open(
                        new DurabilitySettings(false, DurableRun.NEVER, 1, OptionalLong.of(1L << 40), 3),
                        folder.resolve("run"))
                .startingAt(0)
                .withWorkers("a")) {
            durable.checkpoints().taken();
            run.course().restore(COURSE);
            run.push("a", 1, 0, 2);
            durable.checkpoints().awaitTaken(() -> run.advance(Duration.ZERO));
            killed = DurableRun.copy(folder.resolve("run"), folder.resolve("killed"));
            run.course().add(new RunHistory.Point(9000, false, 9, 900, Optional.empty(), 9, 0, 1, Map.of()));
        }

        try (TrainingRun run = durable.open(DurableRun.CHECKPOINTS, killed)) {
            assertThat(run.course().state()).isEqualTo(COURSE);
        }
    }

    @Test
    void shouldBeReadAsItWasWritten() {
        byte[] written = TrainingJson.write(StateFilesTest.state(new TreeMap<>(), COURSE), StateFilesTest.POSITION);

        assertThat(TrainingJson.read(written).course()).isEqualTo(COURSE);
        String text = new String(written, UTF_8);
        byte[] older = text.replaceFirst(",\"rollbacks\":\\[[^]]*]", "").getBytes(UTF_8);
        assertThat(older).hasSizeLessThan(written.length);
        assertThat(TrainingJson.read(older).course().rollbacks()).isEmpty();
        assertThat(text).as("a point is short").contains("[1000,true,0,0,null,0,0,1,{}]");
    }
}
