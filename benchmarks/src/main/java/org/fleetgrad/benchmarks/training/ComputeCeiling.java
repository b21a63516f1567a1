package org.fleetgrad.benchmarks.training;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.networks.NetworkSpec;

/**
 * The arithmetic of several workers at the same time, without the parameter server: the most that their training can reach.
 *
 * @param network that they train
 * @param batch   samples of a batch
 * @param batches of each worker in a measurement
 */
public record ComputeCeiling(Workbench bench, NetworkSpec network, int batch, int batches) {

    /**
     * What all processes did together.
     *
     * @param millisOfABatch of a processor
     */
    public record Speed(double samplesPerSecond, double millisOfABatch) {}

    /** Measures one process a shard, and returns its samples per second. */
    public double samplesPerSecond(List<Path> shards) throws IOException, InterruptedException {
        return measure(shards).samplesPerSecond();
    }

    /**
     * Measures one process a shard.
     *
     * @param exchange address of a loopback and the bytes of a request to it, or nothing
     */
    public Speed measure(List<Path> shards, String... exchange) throws IOException, InterruptedException {
        List<Process> processes = new ArrayList<>();
        List<BufferedReader> outputs = new ArrayList<>();
        for (Path shard : shards) {
            List<String> arguments = new ArrayList<>(
                    List.of(network.name(), shard.toString(), Integer.toString(batch), Integer.toString(batches)));
            arguments.addAll(List.of(exchange));
            Process process = bench.programs().startLikeWorker(ComputeOnly.class, arguments.toArray(String[]::new));
            processes.add(process);
            outputs.add(process.inputReader(StandardCharsets.UTF_8));
        }
        for (BufferedReader output : outputs) {
            line(output);
        }
        for (Process process : processes) {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        }
        double samplesPerSecond = 0;
        double processorMillis = 0;
        for (BufferedReader output : outputs) {
            String[] figures = line(output).split(" ");
            samplesPerSecond += Double.parseDouble(figures[0]) / (Double.parseDouble(figures[1]) / 1e9);
            processorMillis += Double.parseDouble(figures[2]) / 1e6;
        }
        for (Process process : processes) {
            process.waitFor();
        }
        return new Speed(samplesPerSecond, processorMillis / ((double) batches * shards.size()));
    }

    private static String line(BufferedReader output) throws IOException {
        String line = output.readLine();
        if (line == null) {
            throw new IOException("%s ended instead of answering".formatted(ComputeOnly.class.getSimpleName()));
        }
        return line;
    }
}
