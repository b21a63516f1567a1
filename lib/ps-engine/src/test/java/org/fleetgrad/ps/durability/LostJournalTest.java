package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.run.Lifecycle.Precondition;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.TrainingRun;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LostJournalTest {

    @TempDir
    private Path folder;

    @Test
    void shouldKeepWhatIsAcknowledgedAfterTheJournalWasLost() throws IOException {
        Path whole = folder.resolve("whole");
        Path lost = folder.resolve("lost");
        Path after = folder.resolve("after");
        try (TrainingRun run = run(whole).startingAt(0, 0).withWorkers("a")) {
            // Each put begins a segment, so the journal's numbers are past the first.
            run.put(Precondition.PRESENT, 1, 1);
            run.put(Precondition.PRESENT, 2, 2);
            run.push("a", 1, 2, 1, 1);
            copy(whole, lost);
        }
        deleteFiles(lost.resolve("journal"));

        try (TrainingRun run = run(lost).withWorkers("b")) {
            // Only the journal had the gradient.
            assertThat(run.version()).isEqualTo(2);
            PushOutcome taken =
                    run.push(TrainingRun.metadata("b", 1, run.training().generation(), 2, 1), 2, 2);
            assertThat(taken).isEqualTo(new PushOutcome.Applied(3, 0));
            copy(lost, after);
        }

        try (TrainingRun run = run(after)) {
            assertThat(run.version()).isEqualTo(3);
            assertThat(run.values()).containsExactly(1, 1);
        }
    }

    private static TrainingRun run(Path location) throws IOException {
        TrainingSettings settings = TrainingRun.plain(new TrainingMode.Async(1), 64);
        ManualClock clock = new ManualClock();
        return new TrainingRun(
                settings,
                new TrainingRun.Quiet(),
                new DurableTraining(
                        new DurabilitySettings(true, Duration.ofMinutes(1), 0, OptionalLong.of(1 << 20), 3),
                        settings,
                        CheckpointLocation.parse(location.toString(), name -> null),
                        clock,
                        clock,
                        Map::of,
                        new Quiet()),
                clock);
    }

    private record Quiet() implements DurableTraining.Listener {
        @Override
        public void checkpointTaken(CheckpointManifest manifest, Duration took) {}

        @Override
        public void checkpointFailed(Exception failure) {}
    }

    /** Copies the files that a kill at this moment would leave. */
    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    private static void deleteFiles(Path from) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.delete(file);
            }
        }
    }
}
