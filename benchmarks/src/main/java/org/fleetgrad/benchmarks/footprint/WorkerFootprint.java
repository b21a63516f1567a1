package org.fleetgrad.benchmarks.footprint;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Values;
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
    private static final int LOOK_MS = 5;

    /** Returns seconds and mebibytes. */
    public List<Figure> measure() throws Exception {
        ShardSet shards = ShardSet.write(
                bench.scratch("footprint"),
                "digits",
                SyntheticDigits.generate(SAMPLES, 1),
                SyntheticDigits.generate(100, 2),
                1);
        double[] seconds = new double[bench.rounds()];
        double[] mebibytes = new double[bench.rounds()];
        for (int round = 0; round < bench.rounds(); round++) {
            Programs.Server server = bench.programs().startServerWithParameters();
            long begin = System.nanoTime();
            Programs.Running worker = bench.programs().startWorker(Map.of());
            DirectInvocation.init(worker);
            CompletableFuture<Void> run = DirectInvocation.start(
                    worker.address(),
                    new RunRequest(worker, server.address(), shards.train().get(0), EPOCHS, Map.of()).value());
            while (server.client().version().version() == 0) {
                if (run.isCompletedExceptionally()) {
                    run.join();
                }
                Thread.sleep(LOOK_MS);
            }
            seconds[round] = (System.nanoTime() - begin) / 1e9;
            while (!run.isDone()) {
                mebibytes[round] = Math.max(mebibytes[round], ProcessMemory.residentMebibytes(worker.process()));
                Thread.sleep(LOOK_MS * 10L);
            }
            run.join();
            Programs.end(worker.process());
            Programs.end(server.process());
        }
        return List.of(
                Figure.of("cold-start", "worker process start to first accepted gradient")
                        .ours(Values.of(seconds), "s")
                        .limit(GOAL_SECONDS, "the design's goal")
                        .atMost(GOAL_SECONDS),
                Figure.of("footprint", "a worker's resident memory while it trains")
                        .ours(Values.of(mebibytes), "MiB")
                        .limit(GOAL_MIB, "the design's goal")
                        .atMost(GOAL_MIB));
    }
}
