package org.fleetgrad.benchmarks.rivals;

import java.util.Optional;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.training.TrainingThroughput;
import org.fleetgrad.benchmarks.training.WarmFleet;

/** Measures PyTorch's DistributedDataParallel over gloo: the same network and batches in two processes. */
public record Ddp(Workbench bench) {

    private static final int BATCHES = 600;

    private static final double GOAL = 1.5;

    /** Returns samples per second. */
    public Result measure() throws Exception {
        Optional<String> missing = PythonScript.missing("torch");
        if (missing.isPresent()) {
            return Missing.skipped("ddp", missing.get());
        }
        DdpRanks ranks = new DdpRanks(bench, "lenet5", BATCHES);
        WarmFleet fleet = TrainingThroughput.fleet(bench);
        Programs.Server server = bench.programs().startServerWithParameters();
        // Both sides must have started and warmed up before the first round.
        ranks.samplesPerSecond();
        fleet.train(server, TrainingThroughput.EPOCHS);
        Comparison.Pair pair =
                bench.compare(() -> fleet.train(server, TrainingThroughput.EPOCHS), ranks::samplesPerSecond);
        return Figure.of("ddp", "training, LeNet-5, 2 workers, a push every batch of 32", "samples/s", pair.ours())
                .rival(pair.other(), "PyTorch DDP over gloo, 2 processes, samples in memory, no loader")
                .ratioAtLeast(GOAL);
    }
}
