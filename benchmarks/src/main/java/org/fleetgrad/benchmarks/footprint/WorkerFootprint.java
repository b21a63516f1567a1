package org.fleetgrad.benchmarks.footprint;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.process.DirectInvocation;
import org.fleetgrad.benchmarks.process.ProcessMemory;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.training.RunRequest;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;

/**
 * Measures a worker's resident memory during training, and its time from process start to the first accepted gradient.
 */
public record WorkerFootprint(Workbench bench) {

    private static final double GOAL_MIB = 200;
    private static final double GOAL_SECONDS = 1.5;
    private static final int SAMPLES = 10_000;
    private static final int EPOCHS = 3;
    private static final int LOOK_MS = 2;
    private static final int PAUSE_MS = 50;

    public List<Figure> measure() throws Exception {
        URI shard = shard(bench.scratch("footprint")).toUri();
        Comparison<String> lives = bench.compareAll(List.of("worker"), unused -> life(shard));
        return List.of(
                Figure.of("cold-start", "worker process start to first accepted gradient")
                        .ours(lives.of("worker", 0), "s")
                        .limit(GOAL_SECONDS, "the design's goal")
                        .atMost(GOAL_SECONDS),
                Figure.of("footprint", "a worker's resident memory while it trains")
                        .ours(lives.of("worker", 1), "MiB")
                        .limit(GOAL_MIB, "the design's goal")
                        .atMost(GOAL_MIB));
    }

    /** Returns seconds to the first gradient, and the largest memory in MiB. */
    private double[] life(URI shard) throws Exception {
        Programs.Server server = bench.programs().startServerWithParameters();
        long begin = System.nanoTime();
        Programs.Running worker = bench.programs().startWorker(Map.of());
        DirectInvocation.init(worker);
        CompletableFuture<Void> run =
                new RunRequest(worker.address(), server.address(), shard, EPOCHS, Map.of()).start();
        awaitGradient(server, 0, run);
        double seconds = (System.nanoTime() - begin) / 1e9;
        double mebibytes = 0;
        while (!run.isDone()) {
            mebibytes = Math.max(mebibytes, ProcessMemory.residentMebibytes(worker.process()));
            Thread.sleep(PAUSE_MS);
        }
        run.join();
        Programs.end(worker.process());
        Programs.end(server.process());
        return new double[] {seconds, mebibytes};
    }

    /** Writes digits into one shard. */
    static Path shard(Path folder) throws IOException {
        return ShardSet.write(
                        folder, "digits", SyntheticDigits.generate(SAMPLES, 1), SyntheticDigits.generate(100, 2), 1)
                .train()
                .get(0);
    }

    /** Waits until the server has a newer version than this one; throws if the activation has failed. */
    static void awaitGradient(Programs.Server server, long version, CompletableFuture<Void> run)
            throws IOException, InterruptedException {
        while (server.client().version().version() == version) {
            if (run.isCompletedExceptionally()) {
                run.join();
            }
            Thread.sleep(LOOK_MS);
        }
    }
}
