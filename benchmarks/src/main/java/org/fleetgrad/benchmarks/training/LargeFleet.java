package org.fleetgrad.benchmarks.training;

import java.util.List;
import java.util.Map;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;

/** A server and two warm workers that train ResNet-18 with CIFAR's stem: 11 million parameters, 44.7 MB. */
record LargeFleet(NetworkDefinition network, Programs.Server server, WarmFleet workers) {

    static final int WORKERS = 2;
    static final int BATCH = 32;

    /** Learning rate of both sides; small, so that noise can be learned without diverging. */
    private static final String RATE = "0.001";

    /** Starts the programs. Each worker has so many batches in its shard. */
    static LargeFleet start(Workbench bench, int batches) throws Exception {
        NetworkDefinition network = Networks.named(
                "resnet18", List.of(ColourImages.CHANNELS, ColourImages.SIDE, ColourImages.SIDE), ColourImages.CLASSES);
        bench.programs().makeRoomFor(network.spec().layout().byteLength());
        Programs.Server server = bench.programs().startServer(Map.of("PS_LEARNINGRATE", RATE));
        server.putParameters(network);
        WarmFleet workers = WarmFleet.start(
                bench,
                WORKERS,
                ColourImages.DATASET,
                ColourImages.generate(WORKERS * BATCH * batches),
                ColourImages.generate(BATCH));
        return new LargeFleet(network, server, workers);
    }

    /** Returns each worker's task: one pass over its shard, with a push every batch. */
    List<RunRequest> requests() {
        return workers.requests(server.address(), 1);
    }

    NetworkSpec spec() {
        return network.spec();
    }
}
