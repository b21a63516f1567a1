package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.simulation.kernel.Kernel;
import org.fleetgrad.simulation.kernel.VirtualClock;
import org.jspecify.annotations.Nullable;

/** Opens the store of a simulated server, whose checkpoints are written a while after they began. */
public final class SimulatedStores {

    private static final Duration LONGEST_WRITE = Duration.ofSeconds(2);

    private SimulatedStores() {}

    /**
     * Opens it in a folder of a simulated disk.
     *
     * @param written receives what each checkpoint has
     */
    public static TrainingStore open(
            DurabilitySettings settings,
            TrainingSettings training,
            Path folder,
            Clock clock,
            Kernel kernel,
            Consumer<CheckpointManifest> written)
            throws IOException {
        return new DurableTraining(
                settings,
                training,
                CheckpointLocation.inFolder(folder),
                clock,
                new VirtualClock(kernel),
                Map::of,
                new Heard(written),
                new Later(kernel));
    }

    private record Heard(Consumer<CheckpointManifest> written) implements DurableTraining.Listener {
        @Override
        public void checkpointTaken(CheckpointManifest manifest, Duration took) {
            written.accept(manifest);
        }

        @Override
        public void checkpointFailed(Exception failure) {}
    }

    /** Runs a task at a later time, or as soon as somebody waits for it. */
    private static final class Later implements Background {

        private final Kernel kernel;
        private @Nullable Runnable task;

        Later(Kernel kernel) {
            this.kernel = kernel;
        }

        @Override
        public void start(Runnable begun) {
            task = begun;
            kernel.after(kernel.between(Duration.ZERO, LONGEST_WRITE), () -> {
                if (task == begun) {
                    await();
                }
            });
        }

        @Override
        public boolean isIdle() {
            return task == null;
        }

        @Override
        public void await() {
            Runnable waiting = task;
            task = null;
            if (waiting != null) {
                waiting.run();
            }
        }

        @Override
        public void close() {}
    }
}
