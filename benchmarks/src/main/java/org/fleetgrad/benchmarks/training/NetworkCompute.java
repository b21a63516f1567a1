package org.fleetgrad.benchmarks.training;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.fleetgrad.benchmarks.figures.Timings;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A worker's arithmetic alone, in a process of its own: loads the parameters, runs forward and backward, takes the
 * gradient. Reads seconds, answers samples a second.
 */
public final class NetworkCompute {

    private static final int WARM_UP = 3;

    private NetworkCompute() {}

    /** Arguments: complete name of the network, batch size, threads, and the device, if it is not the processor. */
    public static void main(String[] arguments) throws Exception {
        // Before libtorch is loaded.
        System.setProperty("ai.djl.pytorch.num_threads", arguments[2]);
        NetworkDefinition definition = Networks.named(arguments[0]);
        int batch = Integer.parseInt(arguments[1]);
        Device device = arguments.length > 3 ? Device.parse(arguments[3]) : Device.CPU;
        Random random = new Random(1);
        float[] samples = new float[batch * definition.spec().inputSize()];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = definition.spec().task() instanceof LanguageModel text
                    ? random.nextInt(text.vocabulary())
                    : (float) random.nextGaussian();
        }
        int predictions = batch * definition.spec().task().predictions();
        float[] labels = new float[predictions];
        for (int i = 0; i < predictions; i++) {
            labels[i] = random.nextInt(definition.spec().classes());
        }
        float[] gradient = new float[Math.toIntExact(definition.spec().layout().elementCount())];
        TensorSet parameters =
                TensorSet.ofFloats(definition.spec().layout(), definition.initialParameters(1), Map.of());
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Network network = Libtorch.open(definition, device)) {
            for (int i = 0; i < WARM_UP; i++) {
                batch(network, parameters, samples, labels, batch, gradient);
            }
            for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                Timings timings = Timings.during(
                        (long) (Double.parseDouble(line) * 1e3),
                        () -> batch(network, parameters, samples, labels, batch, gradient));
                System.out.println(timings.count() * batch / timings.totalSeconds());
            }
        }
    }

    private static void batch(
            Network network, TensorSet parameters, float[] samples, float[] labels, int count, float[] gradient) {
        network.load(parameters);
        network.accumulate(samples, labels, count);
        network.drainGradient(gradient, 1);
    }
}
