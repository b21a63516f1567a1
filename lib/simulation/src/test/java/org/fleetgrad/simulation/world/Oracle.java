package org.fleetgrad.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.work.WorkQueue;
import org.fleetgrad.simulation.server.SimulatedServer;
import org.fleetgrad.simulation.worker.SampleShards;
import org.fleetgrad.simulation.worker.SimulatedWorker;

/** Knows what must be so when all is done: every sample counts once an epoch, at every server, and the figures say so. */
record Oracle(WorldPlan plan, SampleShards shards) {

    private static final Offset<Float> ROUNDING = Offset.offset(1e-3f);

    void check(List<SimulatedServer> servers) {
        Training lead = servers.get(0).training().orElseThrow();
        WorkQueue.Figures work = lead.work().orElseThrow();
        long all = shards.samples() * plan.epochs();
        assertThat(work.samples()).as("samples of the work, %s", plan).isEqualTo(all);
        assertThat(lead.statistics().state().samples())
                .as("samples of the steps, %s", plan)
                .isEqualTo(all);
        for (SimulatedServer server : servers) {
            assertThat(server.training().orElseThrow().staged())
                    .as("staged at server %d, %s", server.index(), plan)
                    .isEmpty();
        }
        if (plan.isPlain()) {
            checkCounts(servers);
        }
    }

    private void checkCounts(List<SimulatedServer> servers) {
        List<Float> moved = new ArrayList<>();
        servers.forEach(server -> moved.addAll(values(server)));
        float[] first = Networks.named(WorldPlan.NETWORK, shards.task()).initialParameters(SimulatedWorker.SEED);
        float unit = WorldPlan.LEARNING_RATE / WorldPlan.BATCH_SIZE;
        for (int i = 0; i < first.length; i++) {
            float change = moved.get(i) - first[i];
            boolean isSample = i < shards.samples();
            if (!isSample) {
                assertThat(change).as("value %d, of no sample, %s", i, plan).isCloseTo(0, ROUNDING);
            } else if (plan.mode() instanceof TrainingMode.Sync) {
                // A step is the mean of its gradients: of each worker one, and of each that died meanwhile.
                assertThat(change)
                        .as("sample %d, %s", i, plan)
                        .isBetween(
                                unit * plan.epochs() / (plan.workers() + plan.mishaps()) - ROUNDING.value,
                                unit * plan.epochs() + ROUNDING.value);
            } else {
                assertThat(change)
                        .as("sample %d counts %s times, %s", i, change / unit, plan)
                        .isCloseTo(unit * plan.epochs(), ROUNDING);
            }
        }
    }

    private static List<Float> values(SimulatedServer server) {
        List<Float> values = new ArrayList<>();
        try (ParameterSnapshot newest = server.published().orElseThrow().hold().orElseThrow()) {
            ByteBuffer file = newest.file(new ParameterForm(Encodings.PLAIN, false))
                    .duplicate()
                    .order(ByteOrder.LITTLE_ENDIAN);
            int count = (int) newest.trainable().elementCount();
            file.position(file.limit() - Float.BYTES * count);
            for (int i = 0; i < count; i++) {
                values.add(file.getFloat());
            }
        }
        return values;
    }
}
