package org.fleetgrad.benchmarks.training;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.networks.NetworkSpec;

/**
 * The arithmetic of several workers at the same time, without a server: the most that their training can reach.
 *
 * @param batch   samples of a batch
 * @param batches of each worker in a measurement
 */
record ComputeCeiling(Workbench bench, NetworkSpec network, int batch, int batches) {

    /**
     * Measures one process a shard; returns their samples per second, and a processor's milliseconds of a batch.
     *
     * @param exchange address of a loopback and the bytes of a request to it, or nothing
     */
    double[] measure(List<Path> shards, String... exchange) throws IOException, InterruptedException {
        List<LineProcess> processes = new ArrayList<>();
        for (Path shard : shards) {
            List<String> arguments = new ArrayList<>(
                    List.of(network.name(), shard.toString(), Integer.toString(batch), Integer.toString(batches)));
            arguments.addAll(List.of(exchange));
            processes.add(bench.programs().startLikeWorker(ComputeOnly.class, arguments.toArray(String[]::new)));
        }
        for (LineProcess process : processes) {
            process.hear();
        }
        for (LineProcess process : processes) {
            process.tell("go");
        }
        double samplesPerSecond = 0;
        double processorMillis = 0;
        for (LineProcess process : processes) {
            String[] figures = process.hear().split(" ");
            samplesPerSecond += Double.parseDouble(figures[0]) / (Double.parseDouble(figures[1]) / 1e9);
            processorMillis += Double.parseDouble(figures[2]) / 1e6;
        }
        for (LineProcess process : processes) {
            process.await();
        }
        return new double[] {samplesPerSecond, processorMillis / ((double) batches * shards.size())};
    }
}
