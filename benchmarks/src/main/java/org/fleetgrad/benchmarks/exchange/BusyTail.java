package org.fleetgrad.benchmarks.exchange;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Timings;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.requests.GradientPushes;
import org.fleetgrad.benchmarks.requests.LoopbackAnswer;
import org.fleetgrad.benchmarks.requests.RequestLoad;

/**
 * Measures the slowest percent of push-and-pulls while four workers compute a batch between two exchanges. On a machine
 * with fewer processors than workers, much of the time is waiting for a processor; the loopback under the same workers
 * shows how much.
 */
public record BusyTail(Workbench bench) {

    private static final int WORKERS = 4;
    private static final String SECONDS = "4";
    private static final double SHARE = 0.99;
    private static final double GOAL = 1.1;
    private static final double NANOS_IN_MILLI = 1e6;

    private enum Side {
        OURS,
        LIMIT
    }

    /** Returns milliseconds. */
    public Figure measure() throws Exception {
        Programs.Server server = Model.SMALL.serve(bench.programs());
        int requestBytes = new GradientPushes(server.client(), Model.SMALL.layout(), true).requestBytes();
        try (LoopbackAnswer loopback = new LoopbackAnswer(requestBytes, Model.SMALL.answerBytes())) {
            String[] toServer = {"server", server.address().toString(), SECONDS};
            String[] toLoopback = {"loopback", loopback.address().toString(), SECONDS, Integer.toString(requestBytes)};
            RequestLoad.exchanges(server).warmUp();
            Comparison<Side> comparison = bench.compare(
                    List.of(Side.values()),
                    side -> exchange(side == Side.OURS ? toServer : toLoopback).percentile(SHARE) / NANOS_IN_MILLI);
            return Figure.of(
                            "push-pull-p99",
                            "push-and-pull of 247 KB, the 99th percentile, 4 workers that compute in between",
                            "ms",
                            comparison.of(Side.OURS))
                    .limit(comparison.of(Side.LIMIT), "loopback TCP under the same workers")
                    .ratioAtMost(GOAL);
        }
    }

    private Timings exchange(String... arguments) throws IOException, InterruptedException {
        List<Process> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            workers.add(bench.programs().startLikeWorker(BusyWorker.class, arguments));
        }
        double[] nanos = {};
        for (Process worker : workers) {
            String line = new String(worker.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (worker.waitFor() != 0 || line.isEmpty()) {
                throw new IOException("a busy worker ended with exit code %d and the output '%s'"
                        .formatted(worker.exitValue(), line));
            }
            nanos = DoubleStream.concat(
                            Arrays.stream(nanos), Arrays.stream(line.split(" ")).mapToDouble(Double::parseDouble))
                    .toArray();
        }
        return new Timings(nanos);
    }
}
