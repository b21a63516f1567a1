package org.fleetgrad.benchmarks.exchange;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Timings;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;

/**
 * Measures the slowest percent of push-and-pulls while four workers compute a batch between two exchanges. On a machine
 * with fewer processors than workers, much of the time is waiting for a processor; the loopback under the same workers
 * shows how much.
 */
public record BusyTail(Workbench bench) {

    private static final int WORKERS = 4;
    private static final String SECONDS = "4";
    private static final double SHARE = 0.99;
    private static final double NANOS_IN_MILLI = 1e6;

    public Figure measure() throws Exception {
        Programs.Server server = Model.SMALL.serve(bench.programs());
        int requestBytes = new GradientPushes(server.client(), Model.SMALL.layout(), true).requestBytes();
        try (LoopbackAnswer loopback = new LoopbackAnswer(requestBytes, Model.SMALL.answerBytes())) {
            RequestLoad.pushes(server, true).warmUp();
            Comparison.Pair pair = bench.compare(
                    () -> p99Millis("server", server.address().toString(), SECONDS),
                    () -> p99Millis(
                            "loopback", loopback.address().toString(), SECONDS, Integer.toString(requestBytes)));
            return Figure.of(
                            "push-pull-p99",
                            "push-and-pull of 247 KB, the 99th percentile, 4 workers that compute in between")
                    .ours(pair.ours(), "ms")
                    .limit(pair.other(), "loopback TCP under the same workers")
                    .ratioAtMost(1.1);
        }
    }

    private double p99Millis(String... arguments) throws IOException, InterruptedException {
        List<LineProcess> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            workers.add(bench.programs().startLikeWorker(BusyWorker.class, arguments));
        }
        List<String> nanos = new ArrayList<>();
        for (LineProcess worker : workers) {
            nanos.addAll(List.of(worker.hear().split(" ")));
            worker.await();
        }
        return new Timings(nanos.stream().mapToDouble(Double::parseDouble).toArray()).percentile(SHARE)
                / NANOS_IN_MILLI;
    }
}
