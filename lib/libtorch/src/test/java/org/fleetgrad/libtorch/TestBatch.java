package org.fleetgrad.libtorch;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Random samples and labels, drawn from a seed. */
record TestBatch(float[] images, int[] labels, int count) {

    static TestBatch random(NetworkSpec spec, int count, long seed) {
        Random random = new Random(seed);
        float[] images = new float[count * spec.inputSize()];
        for (int i = 0; i < images.length; i++) {
            // 0 may be padding, with which no sample begins.
            images[i] = spec.task().tokens().isPresent()
                    ? 1 + random.nextInt(spec.task().tokens().getAsInt() - 1)
                    : (float) random.nextGaussian();
        }
        int predictions = count * spec.task().predictions();
        return new TestBatch(images, random.ints(predictions, 0, spec.classes()).toArray(), count);
    }

    /** The samples from {@code from} to before {@code to}. */
    TestBatch part(int from, int to) {
        int size = images.length / count;
        int predictions = labels.length / count;
        return new TestBatch(
                Arrays.copyOfRange(images, from * size, to * size),
                Arrays.copyOfRange(labels, from * predictions, to * predictions),
                to - from);
    }

    /** Accumulates this batch alone and returns its gradient. */
    float[] gradient(Network network) {
        network.accumulate(images, labels, count);
        return drain(network, 1);
    }

    static float[] drain(Network network, float scale) {
        float[] gradient = new float[Math.toIntExact(network.spec().layout().elementCount())];
        network.drainGradient(gradient, scale);
        return gradient;
    }

    static Network open(String name, long seed) {
        Network network = Libtorch.open(Networks.usual(name), Device.CPU);
        load(network, Networks.usual(name).initialParameters(seed));
        return network;
    }

    static void load(Network network, float[] parameters) {
        network.load(TensorSet.ofFloats(network.spec().layout(), parameters, Map.of()));
    }
}
