package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.TrainingRun;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailingCheckpointTest {

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private final AtomicInteger failures = new AtomicInteger();

    @Test
    void shouldTryAgainOnlyAfterAnIntervalWhateverMadeTheCheckpointDue() throws IOException {
        ManualClock clock = new ManualClock();
        try (TrainingRun run = run(clock).startingAt(0, 0).withWorkers("a")) {
            // The open segment can still be written, but no other can be created.
            delete(folder.resolve("journal"));

            for (int push = 1; push <= 5; push++) {
                assertThat(run.push("a", push, 0, 1, 1)).isEqualTo(new PushOutcome.Applied(push, push - 1));
            }
            run.awaitIdle();
            assertThat(failures).hasValue(1);
            assertThat(run.training().writeFailure().orElseThrow()).contains("journal");

            clock.advance(INTERVAL);
            run.awaitIdle();
            run.awaitIdle();
            assertThat(failures).hasValue(2);

            Files.createDirectory(folder.resolve("journal"));
            clock.advance(INTERVAL);
            run.awaitIdle();
            await().untilAsserted(
                            () -> assertThat(run.training().writeFailure()).isEmpty());
        }
    }

    private TrainingRun run(ManualClock clock) throws IOException {
        TrainingSettings settings = TrainingRun.plain(new TrainingMode.Async(1), 64);
        return new TrainingRun(
                settings,
                new TrainingRun.Quiet(),
                new DurableTraining(
                        new DurabilitySettings(true, INTERVAL, 1, OptionalLong.of(1 << 20), 3),
                        settings,
                        CheckpointLocation.parse(folder.toString(), name -> null),
                        clock,
                        clock,
                        Map::of,
                        new Counting()),
                clock);
    }

    private final class Counting implements DurableTraining.Listener {
        @Override
        public void checkpointTaken(CheckpointManifest manifest, Duration took) {}

        @Override
        public void checkpointFailed(Exception failure) {
            failures.incrementAndGet();
        }
    }

    private static void delete(Path journal) throws IOException {
        try (Stream<Path> files = Files.list(journal)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.delete(file);
            }
        }
        Files.delete(journal);
    }
}
