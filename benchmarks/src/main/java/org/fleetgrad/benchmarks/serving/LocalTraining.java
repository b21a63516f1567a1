package org.fleetgrad.benchmarks.serving;

import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.sampling.SplitMix64;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.optim.Optimizer;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A worker and its server in one thread: loads a version, computes gradients, steps. Batches of 32, SGD with momentum
 * 0.9. One seed gives the same versions. Not thread-safe.
 */
final class LocalTraining implements AutoCloseable {

    static final int BATCH = 32;

    private static final float LEARNING_RATE = 0.01f;
    private static final SgdSettings SGD = new SgdSettings(0.9f, 0, false, 0);

    /** The parameters after so many steps; they never change. */
    record Version(long number, TensorSet parameters) {}

    private final NetworkDefinition definition;
    private final Network network;
    private final Optimizer optimizer;
    private final ImageSamples samples;
    private final Normalization normalization;
    private final SplitMix64 random;
    private final float[] values;
    private final float[] gradient;
    private final float[] images;
    private final float[] labels = new float[BATCH];
    private Version newest;

    /** Begins with the network's initial parameters; the seed is that of the parameters and of the batches. */
    LocalTraining(NetworkDefinition definition, ImageSamples samples, long seed) {
        this.definition = definition;
        this.network = Libtorch.open(definition, Device.CPU);
        this.samples = samples;
        this.normalization = Normalization.of(samples);
        this.random = new SplitMix64(seed);
        this.values = definition.initialParameters(seed);
        this.gradient = new float[values.length];
        this.optimizer = Optimizer.create(SGD, values.length);
        this.images = new float[BATCH * samples.imageBytes()];
        this.newest = version(0);
    }

    private Version version(long number) {
        return new Version(
                number,
                TensorSet.ofFloats(
                        definition.spec().layout(), values, definition.spec().metadata()));
    }

    Network network() {
        return network;
    }

    /** Returns the version that {@link #load} loads. */
    Version newest() {
        return newest;
    }

    void load() {
        network.load(newest.parameters());
    }

    /** Makes the next version from the mean gradient of so many batches, at the loaded version. */
    void learn(int batches) {
        int[] indices = new int[BATCH];
        for (int batch = 0; batch < batches; batch++) {
            for (int i = 0; i < BATCH; i++) {
                indices[i] = random.nextInt(samples.count());
                labels[i] = samples.label(indices[i]);
            }
            normalization.normalize(samples, indices, images);
            float unused = network.accumulate(images, labels, BATCH);
        }
        network.drainGradient(gradient, 1f / batches);
        optimizer.step(values, gradient, LEARNING_RATE);
        newest = version(newest.number() + 1);
    }

    @Override
    public void close() {
        network.close();
    }
}
