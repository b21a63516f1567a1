package org.fleetgrad.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.process.Invocation;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;

/** A worker's resident memory while it trains, and its time from process start to the first accepted gradient. */
final class WorkerFootprint {

    private static final double GOAL_MIB = 200;
    private static final double GOAL_SECONDS = 1.5;
    private static final int SAMPLES = 10_000;
    private static final int EPOCHS = 3;
    private static final int LOOK_MS = 5;

    private final Programs programs;
    private final Path scratch;

    WorkerFootprint(Programs programs, Path scratch) {
        this.programs = programs;
        this.scratch = scratch;
    }

    List<Figure> measure() throws Exception {
        ShardSet shards = ShardSet.write(
                scratch.resolve("footprint"),
                "digits",
                SyntheticDigits.generate(SAMPLES, 1),
                SyntheticDigits.generate(100, 2),
                1);
        double[] seconds = new double[Benchmarks.ROUNDS];
        double[] mebibytes = new double[Benchmarks.ROUNDS];
        for (int round = 0; round < Benchmarks.ROUNDS; round++) {
            Programs.Server server = programs.startServerWithParameters();
            long begin = System.nanoTime();
            Programs.Worker worker = programs.startWorker();
            Invocation.init(worker);
            CompletableFuture<Void> run =
                    runAsync(worker, server, shards.train().get(0));
            while (server.client().version().version() == 0) {
                if (run.isCompletedExceptionally()) {
                    run.join();
                }
                Thread.sleep(LOOK_MS);
            }
            seconds[round] = (System.nanoTime() - begin) / 1e9;
            while (!run.isDone()) {
                mebibytes[round] = Math.max(mebibytes[round], residentMebibytes(worker.process()));
                Thread.sleep(LOOK_MS * 10L);
            }
            run.join();
            Programs.end(worker.process());
            Programs.end(server.process());
        }
        return List.of(
                new Figure(
                        "worker start to first accepted gradient, s", Figure.median(seconds), GOAL_SECONDS, "the goal"),
                new Figure("worker memory while training, MiB", Figure.median(mebibytes), GOAL_MIB, "the goal"));
    }

    private static CompletableFuture<Void> runAsync(Programs.Worker worker, Programs.Server server, Path shard) {
        return CompletableFuture.runAsync(() -> {
            try {
                Invocation.run(worker, server.address(), shard, EPOCHS);
            } catch (IOException | InterruptedException failed) {
                throw new CompletionException(failed);
            }
        });
    }

    private static double residentMebibytes(Process process) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Double.parseDouble(line.replaceAll("\\D", "")) / 1024;
            }
        }
        return 0;
    }
}
