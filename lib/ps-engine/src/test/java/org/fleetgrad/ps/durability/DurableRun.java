package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.checkpoints.ListedCheckpoint;
import org.fleetgrad.ps.persistence.Origin;
import org.fleetgrad.ps.run.TrainingListener;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.TrainingRun;
import org.fleetgrad.testing.ManualClock;

/** A sequence of runs that are persisted in one folder. A copy of the folder is what a kill at that moment leaves. */
final class DurableRun {

    /** So long that only the checkpoints that a test triggers are due. */
    static final Duration NEVER = Duration.ofDays(365);

    static final DurabilitySettings JOURNAL = new DurabilitySettings(true, NEVER, 0, OptionalLong.of(1L << 40), 3);
    static final DurabilitySettings CHECKPOINTS = new DurabilitySettings(false, NEVER, 0, OptionalLong.of(1L << 40), 3);

    private final TrainingSettings training;
    private final ManualClock clock;
    private final Supplier<String> generations = TrainingRun.histories();
    private final Checkpointed checkpointed = new Checkpointed();
    private TrainingListener listener = new TrainingRun.Quiet();
    private Supplier<Map<String, String>> notes = () -> Map.of("network", "w");

    DurableRun(TrainingSettings training) {
        this(training, new ManualClock());
    }

    DurableRun(TrainingSettings training, ManualClock clock) {
        this.training = training;
        this.clock = clock;
    }

    /** Queues the notices of checkpoints for the test. */
    static final class Checkpointed implements DurableTraining.Listener {
        private final BlockingQueue<CheckpointManifest> taken = new LinkedBlockingQueue<>();
        private final BlockingQueue<Exception> failed = new LinkedBlockingQueue<>();

        @Override
        public void checkpointTaken(CheckpointManifest manifest, Duration took) {
            taken.add(manifest);
        }

        @Override
        public void checkpointFailed(Exception failure) {
            failed.add(failure);
        }

        /** Waits for the next checkpoint. */
        CheckpointManifest taken() {
            return next(taken);
        }

        /** Waits for the next failure. */
        Exception failed() {
            return next(failed);
        }

        /** Waits for a checkpoint; meanwhile the clock advances and the applier checks, as at a tick. */
        void awaitTaken(Runnable tick) {
            for (int ticks = 0; taken.isEmpty(); ticks++) {
                assertThat(ticks).as("ticks without a checkpoint").isLessThan(100_000);
                tick.run();
            }
        }

        /** Returns whether another checkpoint has failed. */
        boolean hasFailed() {
            return failed.poll() != null;
        }

        /** Drops the notices so far. */
        void clear() {
            taken.clear();
            failed.clear();
        }

        /** Returns the versions of the checkpoints that no test has read yet. */
        List<Long> versions() {
            List<Long> versions =
                    taken.stream().map(CheckpointManifest::version).toList();
            taken.clear();
            return versions;
        }

        private static <T> T next(BlockingQueue<T> from) {
            try {
                T next = from.poll(60, TimeUnit.SECONDS);
                if (next == null) {
                    throw new AssertionError("nothing came in 20 s");
                }
                return next;
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        }
    }

    DurableRun hearing(TrainingListener other) {
        listener = other;
        return this;
    }

    /** Takes the notes of each checkpoint from {@code other}, in the thread that writes it. */
    DurableRun noting(Supplier<Map<String, String>> other) {
        notes = other;
        return this;
    }

    Checkpointed checkpoints() {
        return checkpointed;
    }

    ManualClock clock() {
        return clock;
    }

    TrainingRun open(DurabilitySettings settings, Path folder) {
        return open(settings, folder, Origin.Beginning.Empty::new);
    }

    TrainingRun open(DurabilitySettings settings, Path folder, Origin origin) {
        try {
            DurableTraining durable = new DurableTraining(
                    settings, training, location(folder), clock, clock, () -> notes.get(), checkpointed);
            return new TrainingRun(training, listener, durable, clock, generations, origin);
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        }
    }

    static CheckpointLocation location(Path folder) {
        return CheckpointLocation.inFolder(folder);
    }

    /** Returns the numbers of the checkpoints, newest first. */
    static List<Long> numbers(Path folder) {
        try (Checkpoints checkpoints = Checkpoints.open(location(folder))) {
            return checkpoints.list().stream().map(ListedCheckpoint::number).toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Copies a folder at this moment to a folder under {@code to}. */
    static Path copy(Path folder, Path to) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(folder.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
            return to;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
