package org.fleetgrad.benchmarks.training;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;

/** A server and two warm workers that train ResNet-18 with CIFAR's stem: 11 million parameters, 44.7 MB. */
public record LargeFleet(NetworkDefinition network, Programs.Server server, WarmFleet workers) {

    static final int WORKERS = 2;

    private static final int CHANNELS = 3;
    private static final int SIDE = 32;
    private static final int CLASSES = 10;

    /** Learning rate of both sides; small, so that noise can be learned without diverging. */
    private static final String RATE = "0.001";

    /** Starts the programs. Each worker has so many batches in its shard. */
    static LargeFleet start(Workbench bench, int batches) throws Exception {
        NetworkDefinition network = Networks.named("resnet18", List.of(CHANNELS, SIDE, SIDE), CLASSES);
        bench.programs().makeRoomFor(network.spec().layout().byteLength());
        Programs.Server server = bench.programs().startServer(Map.of("PS_LEARNINGRATE", RATE));
        server.putParameters(network);
        WarmFleet workers = WarmFleet.start(
                bench, WORKERS, "noise", images(WORKERS * RunRequest.BATCH * batches), images(RunRequest.BATCH));
        return new LargeFleet(network, server, workers);
    }

    /** Returns random images of CIFAR-10's shape, with labels that take turns: speed does not depend on what they show. */
    public static ImageSamples images(int count) {
        byte[] pixels = new byte[count * CHANNELS * SIDE * SIDE];
        new Random(1).nextBytes(pixels);
        byte[] labels = new byte[count];
        for (int i = 0; i < count; i++) {
            labels[i] = (byte) (i % CLASSES);
        }
        return new ImageSamples(CHANNELS, SIDE, SIDE, pixels, labels);
    }

    /** Returns each worker's task: one pass over its shard, with a push every batch. */
    List<RunRequest> requests() {
        return workers.requests(server.address(), 1);
    }

    NetworkSpec spec() {
        return network.spec();
    }
}
