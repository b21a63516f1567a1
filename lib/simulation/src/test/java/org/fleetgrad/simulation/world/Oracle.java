package org.fleetgrad.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.assertj.core.data.Offset;
import org.fleetgrad.networks.NetworkDefinition;
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

    /** Of the batch statistics, as PyTorch's. */
    private static final double MOMENTUM = 0.1;

    private static final float OF_STATE = 1e-4f;
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
        List<Float> values = new ArrayList<>();
        servers.forEach(server -> values.addAll(values(server)));
        NetworkDefinition network = Networks.named(plan.workers().network(), shards.task());
        SamplePlaces places = SamplePlaces.of(network.spec());
        checkObserved(places, values, all / WorkersPlan.BATCH_SIZE);
        if (plan.servers().isPlain()) {
            checkCounts(places, network.initialParameters(SimulatedWorker.SEED), values, known);
        }
    }

    private boolean isSynchronous() {
        return plan.servers().mode() instanceof TrainingMode.Sync;
    }

    /** A running mean that begins at 0, of batches that observe the same, shows how many counted: c (1 - (1 - momentum)^batches). */
    private void checkObserved(SamplePlaces places, List<Float> values, long batches) {
        float full = (float) (SampleNetwork.OBSERVED * (1 - Math.pow(1 - MOMENTUM, (double) batches)));
        for (int mean : places.means()) {
            // A synchronous step merges what its gradients observed, as if it were one.
            assertThat(values.get(mean))
                    .as("value %d of the state after %d batches, %s", mean, batches, plan)
                    .isBetween(isSynchronous() ? 0 : full - OF_STATE, full + OF_STATE);
        }
    }

    private void checkCounts(SamplePlaces places, float[] first, List<Float> values, Set<Integer> known) {
        float unit = ServersPlan.LEARNING_RATE / WorkersPlan.BATCH_SIZE;
        for (int i = 0; i < places.trained().size(); i++) {
            int place = places.trained().get(i);
            float change = values.get(place) - first[place];
            long times = times(i, known);
            if (times > 0 && isSynchronous()) {
                assertThat(change)
                        .as("sample %d, %s", i, plan)
                        .isBetween(unit * times * leastShare() - ROUNDING.value, unit * times + ROUNDING.value);
            } else {
                assertThat(change)
                        .as("sample %d counts %s times, %s", i, change / unit, plan)
                        .isCloseTo(unit * times, ROUNDING);
            }
        }
    }

    /**
     * Returns the least share that a gradient may have of a step, which is a mean weighted by samples. One of a single batch may be beside
     * others that are all of as many as a worker makes by itself.
     */
    private float leastShare() {
        return 1f / (1 + plan.workers().localSteps() * (mostGradients() - 1));
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
