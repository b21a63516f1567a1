package org.fleetgrad.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.assertj.core.data.Offset;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.work.WorkQueue;
import org.fleetgrad.ps.work.WorkQueue.AddedFigures;
import org.fleetgrad.simulation.server.SimulatedServer;
import org.fleetgrad.simulation.worker.SampleShards;
import org.fleetgrad.simulation.worker.SimulatedWorker;

/**
 * Knows what must be so when all is done: every sample counts once an epoch, and one that was added once, at every server, and the
 * figures say so.
 *
 * @param added which shards were put to work, up to a number that the server knows
 */
record Oracle(WorldPlan plan, SampleShards shards, LongFunction<Set<Integer>> added) {

    private static final Offset<Float> ROUNDING = Offset.offset(1e-3f);

    void check(List<SimulatedServer> servers) {
        Training lead = servers.get(0).training().orElseThrow();
        WorkQueue.Figures work = lead.work().orElseThrow();
        Set<Integer> known = added.apply(work.added().map(AddedFigures::last).orElse(-1L));
        long ofAdded = (long) known.size() * plan.data().shardSize();
        long ofPlan = shards.samples() * plan.data().epochs();
        long all = ofPlan + ofAdded;
        assertThat(work.samples()).as("samples of the work, %s", plan).isEqualTo(ofPlan);
        assertThat(work.added().map(AddedFigures::samples).orElse(0L))
                .as("samples of the shards %s that were added, %s", known, plan)
                .isEqualTo(ofAdded);
        assertThat(lead.statistics().state().samples())
                .as("samples of the steps, %s", plan)
                .isEqualTo(all);
        for (SimulatedServer server : servers) {
            assertThat(server.training().orElseThrow().staged())
                    .as("staged at server %d, %s", server.index(), plan)
                    .isEmpty();
        }
        if (plan.servers().isPlain()) {
            checkCounts(servers, known);
        }
    }

    private void checkCounts(List<SimulatedServer> servers, Set<Integer> known) {
        List<Float> moved = new ArrayList<>();
        servers.forEach(server -> moved.addAll(values(server)));
        float[] first = Networks.named(plan.workers().network(), shards.task()).initialParameters(SimulatedWorker.SEED);
        float unit = ServersPlan.LEARNING_RATE / WorkersPlan.BATCH_SIZE;
        for (int i = 0; i < first.length; i++) {
            int place = SampleNetwork.place(i, first.length);
            float change = moved.get(place) - first[place];
            long times = times(i, known);
            if (times > 0 && plan.servers().mode() instanceof TrainingMode.Sync) {
                assertThat(change)
                        .as("sample %d, %s", i, plan)
                        .isBetween(unit * times / mostGradients() - ROUNDING.value, unit * times + ROUNDING.value);
            } else {
                assertThat(change)
                        .as("sample %d counts %s times, %s", i, change / unit, plan)
                        .isCloseTo(unit * times, ROUNDING);
            }
        }
    }

    /** Returns how many gradients a step may be the mean of: of each worker one, and of each that died or began anew meanwhile. */
    private int mostGradients() {
        int names = plan.workers().activation().isPresent() ? 2 : 1;
        return names * plan.workers().count() + plan.faults().mishaps();
    }

    /** Returns how often a sample counts; not at all, if it is none. */
    private long times(int sample, Set<Integer> known) {
        int further = sample - shards.samples();
        return further < 0
                ? plan.data().epochs()
                : known.contains(further / plan.data().shardSize()) ? 1 : 0;
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
