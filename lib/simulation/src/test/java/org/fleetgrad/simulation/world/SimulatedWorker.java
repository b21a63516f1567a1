package org.fleetgrad.simulation.world;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.networks.ClassWeights;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.simulation.kernel.Fiber;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.data.ShardUnavailableException;
import org.fleetgrad.worker.training.Learning;
import org.fleetgrad.worker.training.TimeBudget;
import org.fleetgrad.worker.training.TrainingFailedException;
import org.fleetgrad.worker.training.TrainingReport;
import org.fleetgrad.worker.training.TrainingTask;
import org.fleetgrad.worker.training.TrainingTask.Identity;
import org.fleetgrad.worker.training.TrainingTask.Tools;
import org.fleetgrad.worker.training.TrainingTask.Transfer;
import org.fleetgrad.worker.training.WarmState;

/** A worker's process: one activation after the other, with the real training loop, until no work is left. */
final class SimulatedWorker implements Runnable {

    static final String NETWORK = "tabular?hidden=8";
    static final long SEED = 1;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final ShardSource SHARDS = new ShardSource(ShardLimits.DEFAULT);

    private final Optional<String> id;
    private final ParameterServers servers;
    private final WorldPlan plan;
    private final Clock clock;
    private final BooleanSupplier isOver;
    private boolean isDone;

    SimulatedWorker(
            Optional<String> id, ParameterServers servers, WorldPlan plan, Clock clock, BooleanSupplier isOver) {
        this.id = id;
        this.servers = servers;
        this.plan = plan;
        this.clock = clock;
        this.isOver = isOver;
    }

    /** Tells whether it was told that no work is left. */
    boolean isDone() {
        return isDone;
    }

    @Override
    public void run() {
        WarmState warm = new WarmState();
        while (!isDone && !isOver.getAsBoolean()) {
            try {
                TrainingReport report = task().runQueue(tools(warm), 0);
                isDone = report.work().equals("done");
            } catch (IOException away) {
                // The servers stay away, or somebody else has its id: another activation follows.
            } catch (TrainingFailedException | ShardUnavailableException wrong) {
                throw new IllegalStateException(wrong);
            }
            if (!isDone) {
                Fiber.sleep(PAUSE);
            }
        }
    }

    private TrainingTask task() {
        Encoding encoding = Encodings.parse(plan.encoding());
        return new TrainingTask(
                new Learning(
                        WorldPlan.BATCH_SIZE, 1, 0, 0, ClassWeights.EQUAL, Sampling.SHUFFLED, Augmentation.NONE, SEED),
                Optional.of(NETWORK),
                new Identity(id, "simulated", "cpu", OptionalLong.empty(), Optional.empty(), Optional.empty()),
                new Transfer(encoding, Encodings.PLAIN, false));
    }

    private Tools tools(WarmState warm) {
        return new Tools(
                servers,
                definition -> new SampleNetwork(definition.spec(), plan.batch()),
                SHARDS,
                new TimeBudget(clock),
                warm,
                isOver);
    }
}
