package org.fleetgrad.benchmarks.training;

import java.nio.file.Path;
import java.util.Map;
import org.fleetgrad.datasets.sampling.BatchSampler;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.networks.Device;
import org.fleetgrad.networks.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * The ceiling of a worker: normalize, forward, backward, take the gradient out, load parameters in, with nobody to
 * exchange them with. Reads a line to begin, prints {@code samples seconds}.
 */
final class ComputeOnly {

    private ComputeOnly() {}

    /** Arguments: shard file, batch size, number of batches. */
    public static void main(String[] arguments) throws Exception {
        Shard shard = ShardArchive.read(Path.of(arguments[0]));
        int batchSize = Integer.parseInt(arguments[1]);
        int batches = Integer.parseInt(arguments[2]);
        NetworkDefinition definition = Networks.named("lenet5");
        try (Network network = Networks.open("lenet5", Device.CPU)) {
            TensorSet parameters =
                    TensorSet.ofFloats(definition.spec().layout(), definition.initialParameters(1), Map.of());
            run(network, parameters, shard, batchSize, 100);
            System.out.println("ready");
            System.in.read();
            long begin = System.nanoTime();
            run(network, parameters, shard, batchSize, batches);
            System.out.printf("%d %d%n", (long) batches * batchSize, System.nanoTime() - begin);
        }
    }

    private static void run(Network network, TensorSet parameters, Shard shard, int batchSize, int batches) {
        float[] images = new float[batchSize * shard.samples().imageBytes()];
        float[] gradient = new float[(int) network.spec().layout().elementCount()];
        BatchSampler sampler = new BatchSampler(shard.samples().count(), batchSize, 1);
        int done = 0;
        for (int epoch = 0; done < batches; epoch++) {
            for (int[] batch : sampler.epoch(epoch)) {
                if (batch.length < batchSize || done == batches) {
                    break;
                }
                network.load(parameters);
                shard.description().normalization().normalize(shard.samples(), batch, images);
                int[] labels = new int[batch.length];
                for (int i = 0; i < batch.length; i++) {
                    labels[i] = shard.samples().label(batch[i]);
                }
                network.accumulate(images, labels, batch.length);
                network.drainGradient(gradient, 1f);
                done++;
            }
        }
    }
}
