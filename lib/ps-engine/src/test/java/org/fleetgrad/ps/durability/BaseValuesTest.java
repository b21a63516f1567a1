package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.TrainingRun;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replay of the journal must find the values that each gradient was computed on, if the rule needs them. */
class BaseValuesTest {

    private static final int HISTORY = 2;
    private static final TrainingSettings SETTINGS = new TrainingSettings(
            new TrainingMode.Async(1),
            new SgdSettings(0.5f, 0, false, 0),
            new StalenessRule.GapAware(0.9f),
            HISTORY,
            new LearningRateSchedule.Constant(0.1f),
            TrainingSettings.DecayScope.EVERYTHING,
            64,
            0);

    @TempDir
    private Path folder;

    @Test
    void shouldReplayGradientsOnTheInitialParameters() throws IOException {
        Path killed = folder.resolve("killed");
        byte[] before;
        try (TrainingRun run =
                run(durable(folder.resolve("run"))).startingAt(1, 2).withWorkers("a")) {
            run.push("a", 1, 0, 3, 4);
            before = run.bytes();
            copy(folder.resolve("run"), killed);
        }

        try (TrainingRun run = run(durable(killed))) {
            assertThat(run.bytes()).isEqualTo(before);
        }
    }

    @Test
    void shouldReplayGradientsThatWereTakenInOneCommit() throws Exception {
        Path killed = folder.resolve("killed");
        byte[] before;
        Gate gate = new Gate(durable(folder.resolve("run")));
        try (TrainingRun run = run(gate).startingAt(1, 2).withWorkers("a", "b", "c", "d")) {
            List<CompletableFuture<PushOutcome>> pushes = new ArrayList<>();
            for (String worker : List.of("a", "b", "c", "d")) {
                pushes.add(run.send(TrainingRun.metadata(worker, 1, TrainingRun.GENERATION, 0, 1), 3, 4));
            }
            gate.open.countDown();
            // All gradients are on version 0, which was served; the replay has served 1 and 2 when it reaches the
            // third.
            assertThat(pushes.get(0).join()).isEqualTo(new PushOutcome.Applied(1, 0));
            assertThat(pushes.get(1).join()).isEqualTo(new PushOutcome.Applied(2, 1));
            assertThat(pushes.get(2).join())
                    .isInstanceOfSatisfying(
                            PushOutcome.Refused.class,
                            refused -> assertThat(refused.reason()).isEqualTo(PushOutcome.Reason.STALE_GRADIENT));
            pushes.get(3).join();
            before = run.bytes();
            copy(folder.resolve("run"), killed);
        }

        try (TrainingRun run = run(durable(killed))) {
            assertThat(run.bytes()).isEqualTo(before);
        }
    }

    private static TrainingRun run(TrainingStore durability) {
        return new TrainingRun(SETTINGS, new TrainingRun.Quiet(), durability, new ManualClock());
    }

    private static DurableTraining durable(Path location) throws IOException {
        return new DurableTraining(
                new DurabilitySettings(true, Duration.ofMinutes(1), 0, OptionalLong.of(1 << 20), 3),
                SETTINGS,
                CheckpointLocation.parse(location.toString(), name -> null),
                new ManualClock(),
                new ManualClock(),
                Map::of,
                new Quiet());
    }

    private record Quiet() implements DurableTraining.Listener {
        @Override
        public void checkpointTaken(CheckpointManifest manifest, Duration took) {}

        @Override
        public void checkpointFailed(Exception failure) {}
    }

    /** Blocks the applier at its first entry, so that requests sent meanwhile share its commit. */
    private static final class Gate extends ForwardingStore {
        private final CountDownLatch open = new CountDownLatch(1);

        Gate(DurableTraining durable) {
            super(durable);
        }

        @Override
        public void append(JournalEntry entry) throws IOException {
            try {
                open.await();
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            }
            super.append(entry);
        }
    }

    /** Copies the files that a kill at this moment would leave. */
    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }
}
