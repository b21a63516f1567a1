package org.fleetgrad.simulation.worker;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.ClassWeights;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.simulation.kernel.Fiber;
import org.fleetgrad.simulation.kernel.Kernel;
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
public final class SimulatedWorker implements Runnable {

    /** Decides the initial parameters. */
    public static final long SEED = 1;

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final ShardSource SHARDS = new ShardSource(ShardLimits.DEFAULT);

    private final Optional<String> id;
    private final ParameterServers servers;
    private final Training training;
    private final Clock clock;
    private final Kernel kernel;
    private final BooleanSupplier isOver;
    private boolean isDone;

    /**
     * What a worker trains.
     *
     * @param network   name of the network
     * @param batchSize samples of a batch
     * @param transfer  encodings, and whether a push overlaps with the next batch
     * @param activation how long an activation may take, if that is limited
     * @param networks  opens the network
     */
    public record Training(
            String network,
            int batchSize,
            Transfer transfer,
            Optional<Duration> activation,
            Function<NetworkDefinition, Network> networks) {}

    public SimulatedWorker(
            Optional<String> id,
            ParameterServers servers,
            Training training,
            Clock clock,
            Kernel kernel,
            BooleanSupplier isOver) {
        this.id = id;
        this.servers = servers;
        this.training = training;
        this.clock = clock;
        this.kernel = kernel;
        this.isOver = isOver;
    }

    /** Tells whether it was told that no work is left. */
    public boolean isDone() {
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
        return new TrainingTask(
                new Learning(
                        training.batchSize(), 1, 0, 0, ClassWeights.EQUAL, Sampling.SHUFFLED, Augmentation.NONE, SEED),
                Optional.of(training.network()),
                new Identity(id, "simulated", "cpu", deadline(), Optional.empty(), Optional.empty()),
                training.transfer());
    }

    private OptionalLong deadline() {
        return training.activation().map(most -> clock.instant().plus(most).toEpochMilli()).stream()
                .mapToLong(Long::longValue)
                .findAny();
    }

    private Tools tools(WarmState warm) {
        return new Tools(
                servers,
                training.networks(),
                SHARDS,
                new TimeBudget(clock, kernel::nanos),
                warm,
                isOver,
                new FiberCalls(kernel));
    }
}
