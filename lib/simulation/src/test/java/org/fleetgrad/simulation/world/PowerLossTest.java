package org.fleetgrad.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.ps.durability.DurabilitySettings;
import org.fleetgrad.ps.durability.SimulatedStores;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.simulation.disk.ForgetfulDisk;
import org.fleetgrad.simulation.kernel.Kernel;
import org.fleetgrad.simulation.kernel.VirtualClock;
import org.fleetgrad.simulation.server.ServerSettings;
import org.fleetgrad.simulation.worker.SampleShards;
import org.junit.jupiter.api.Test;

/** What a power loss does to what was confirmed: faults that the worlds have found. */
class PowerLossTest {

    private static final DurabilitySettings JOURNAL =
            new DurabilitySettings(true, Duration.ofMinutes(1), 0, OptionalLong.empty(), 3);

    private final Kernel kernel = new Kernel(new Random(1));
    private final Clock clock = new VirtualClock(kernel);

    /** Loses whatever may be lost. */
    private final ForgetfulDisk disk = new ForgetfulDisk(new Random() {
        private static final long serialVersionUID = 1L;

        @Override
        public int nextInt(int bound) {
            return 0;
        }
    });

    /** World 3: a new folder's own name was not forced, so that the folder was gone with everything in it. */
    @Test
    void shouldKeepTheWorkOfANewFolderThroughAPowerLoss() throws IOException {
        WorkPlan work = SampleShards.of(1, 4, 1).plan();
        open().persistWork(work);

        disk.crash();

        Recovered recovered = new Recovered();
        open().recover(recovered);
        assertThat(recovered.works).containsExactly(work);
    }

    private TrainingStore open() throws IOException {
        return SimulatedStores.open(
                JOURNAL,
                ServerSettings.of(Map.of()).training(),
                disk.mount().path("/runs/first"),
                clock,
                kernel,
                written -> {});
    }

    /** A run that notes the work that it gets back. */
    private static final class Recovered implements TrainingStore.Replay {
        private final List<WorkPlan> works = new ArrayList<>();

        @Override
        public void restore(TrainingState state) {
            throw new AssertionError("there was no state");
        }

        @Override
        public void restoreWork(WorkPlan plan) {
            works.add(plan);
        }

        @Override
        public void replay(JournalEntry entry) {
            throw new AssertionError("there was no entry");
        }

        @Override
        public ParameterVersion version() {
            throw new AssertionError("there was no version");
        }

        @Override
        public TrainingState state() {
            throw new AssertionError("there was no state");
        }

        @Override
        public void beginGeneration() {}
    }
}
