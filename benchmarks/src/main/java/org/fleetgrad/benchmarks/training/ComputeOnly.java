package org.fleetgrad.benchmarks.training;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.fleetgrad.benchmarks.exchange.LoadConnection;
import org.fleetgrad.benchmarks.figures.Timings;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.augment.EpochDraws;
import org.fleetgrad.datasets.sampling.BatchSampler;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * The upper limit of a worker: normalize, forward, backward, copy the gradient out, load parameters. It exchanges
 * nothing, or sends and receives the same number of bytes over a loopback and ignores them. Reads a line to begin,
 * prints the samples, the nanoseconds, and the nanoseconds of processors.
 */
final class ComputeOnly {

    private ComputeOnly() {}

    /**
     * Arguments: complete name of the network, shard file, batch size, number of batches; with the loopback also its
     * address and the bytes of a request.
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 4) {
            run(arguments, () -> {});
            return;
        }
        byte[] request = new byte[Integer.parseInt(arguments[5])];
        try (LoadConnection connection = new LoadConnection(URI.create(arguments[4]))) {
            run(arguments, () -> connection.exchange(request));
        }
    }

    private static void run(String[] arguments, Timings.Repetition between) throws Exception {
        Shard shard = ShardArchive.read(Path.of(arguments[1]));
        int batchSize = Integer.parseInt(arguments[2]);
        int batches = Integer.parseInt(arguments[3]);
        NetworkDefinition definition = Networks.named(arguments[0]);
        OperatingSystemMXBean machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        try (Network network = Libtorch.open(definition, Device.CPU)) {
            TensorSet parameters =
                    TensorSet.ofFloats(definition.spec().layout(), definition.initialParameters(1), Map.of());
            run(network, parameters, shard, batchSize, Math.min(100, batches), between);
            System.out.println("ready");
            System.in.read();
            long begin = System.nanoTime();
            long processors = machine.getProcessCpuTime();
            run(network, parameters, shard, batchSize, batches, between);
            System.out.printf(
                    "%d %d %d%n",
                    (long) batches * batchSize, System.nanoTime() - begin, machine.getProcessCpuTime() - processors);
        }
    }

    private static void run(
            Network network, TensorSet parameters, Shard shard, int batchSize, int batches, Timings.Repetition between)
            throws Exception {
        float[] inputs = new float[batchSize * shard.inputSize()];
        float[] gradient = new float[(int) network.spec().layout().elementCount()];
        BatchSampler sampler = new BatchSampler(shard.samples().count(), batchSize, 1);
        int done = 0;
        for (int epoch = 0; done < batches; epoch++) {
            for (int[] batch : sampler.epoch(epoch)) {
                if (batch.length < batchSize || done == batches) {
                    break;
                }
                network.load(parameters);
                float[] labels = new float[batch.length * shard.targetCount()];
                shard.read(batch, new EpochDraws(Augmentation.NONE, 1, epoch), inputs, labels);
                network.accumulate(inputs, labels, batch.length);
                network.drainGradient(gradient, 1f);
                between.run();
                done++;
            }
        }
    }
}
