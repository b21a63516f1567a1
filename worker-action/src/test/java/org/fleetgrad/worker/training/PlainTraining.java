package org.fleetgrad.worker.training;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.fleetgrad.client.ParameterServers.InitialSet;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.networks.ClassWeights;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.worker.training.TrainingTask.Identity;
import org.fleetgrad.worker.training.TrainingTask.Transfer;

/** The training that most tests need. */
public final class PlainTraining {

    /** Float32, without overlap. */
    public static final Transfer TRANSFER = new Transfer(Encodings.PLAIN, Encodings.PLAIN, false);

    /** A worker with an id of its own, and without a deadline. */
    public static final Identity WORKER =
            new Identity(Optional.of("w1"), "a test", "cpu", OptionalLong.empty(), Optional.empty(), Optional.empty());

    private PlainTraining() {}

    /** The exchange of a worker that has registered, in float32; it freezes what its server states. */
    static ParameterExchange exchange(WorkerRegistration registration, NetworkSpec network, InitialSet initial)
            throws TrainingFailedException {
        FrozenTensors frozen = registration.frozen(network);
        return new ParameterExchange(
                registration,
                network,
                frozen,
                initial,
                new WarmState().channel(network, frozen, TRANSFER.gradients(), 1));
    }

    /** A gradient with a loss of 1.5. */
    static GradientAccumulator.Mean mean(float[] values, long samples, int batches) {
        return new GradientAccumulator.Mean(
                values, samples, batches, 1.5, OptionalDouble.empty(), OptionalLong.empty());
    }

    /** Without clipping, smoothing, weights and augmentation. */
    public static Learning learning(int batchSize, int updateInterval, long seed) {
        return new Learning(
                batchSize, updateInterval, 0, 0, ClassWeights.EQUAL, Sampling.SHUFFLED, Augmentation.NONE, seed);
    }
}
