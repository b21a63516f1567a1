package org.fleetgrad.libtorch;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Question.Labels;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Random samples and labels, drawn from a seed. */
record TestBatch(float[] images, float[] labels, int count) {

    static TestBatch random(NetworkSpec spec, int count, long seed) {
        Random random = new Random(seed);
        float[] images = new float[count * spec.inputSize()];
        for (int i = 0; i < images.length; i++) {
            // 0 may be padding, with which no sample begins.
            images[i] = spec.task().tokens().isPresent()
                    ? 1 + random.nextInt(spec.task().tokens().getAsInt() - 1)
                    : (float) random.nextGaussian();
        }
        if (spec.task() instanceof TableTask table) {
            drawCategories(images, table, random);
        }
        boolean areNumbers = spec.task().question() instanceof Regression;
        int answers = spec.task().question() instanceof Labels ? 2 : spec.classes();
        float[] targets = new float[count * spec.task().targets()];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = areNumbers ? (float) random.nextGaussian() : random.nextInt(answers);
        }
        return new TestBatch(images, targets, count);
    }

    private static void drawCategories(float[] rows, TableTask table, Random random) {
        int width = table.inputSize();
        for (int i = 0; i < rows.length; i++) {
            int category = i % width - table.numbers();
            if (category >= 0) {
                rows[i] = random.nextInt(table.categories().get(category));
            }
        }
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
        float[] gradient = new float[Math.toIntExact(network.trainable().elementCount())];
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
