package org.fleetgrad.benchmarks.rivals;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.training.TrainingThroughput;
import org.fleetgrad.benchmarks.training.WarmFleet;
import org.fleetgrad.runs.process.Ports;

/** Measures PyTorch's DistributedDataParallel over gloo: the same network and batches in two processes. */
public record Ddp(Workbench bench) {

    private static final int BATCHES = 600;

    public Result measure() throws Exception {
        Optional<String> missing = PythonScript.missing("torch");
        if (missing.isPresent()) {
            return Missing.skipped("ddp", missing.get());
        }
        Ranks ranks = new Ranks(bench, "lenet5", BATCHES);
        WarmFleet fleet = TrainingThroughput.fleet(bench);
        Programs.Server server = bench.programs().startServerWithParameters();
        // Both sides must have started and warmed up before the first round.
        ranks.samplesPerSecond();
        fleet.train(server, TrainingThroughput.EPOCHS);
        Comparison.Pair pair =
                bench.compare(() -> fleet.train(server, TrainingThroughput.EPOCHS), ranks::samplesPerSecond);
        return Figure.of("ddp", "training, LeNet-5, 2 workers, a push every batch of 32")
                .ours(pair.ours(), "samples/s")
                .rival(pair.other(), "PyTorch DDP over gloo, 2 processes, samples in memory, no loader")
                .ratioAtLeast(1.5);
    }

    /** Two processes of PyTorch's DistributedDataParallel over gloo, which train with batches of 32. */
    public static final class Ranks {

        private final List<LineProcess> ranks;

        /** Starts them without waiting; networks.py knows the network, and each trains so many batches at a time. */
        public Ranks(Workbench bench, String network, int batches) throws IOException {
            String port = Integer.toString(Ports.free());
            this.ranks = List.of(rank(bench, "0", port, network, batches), rank(bench, "1", port, network, batches));
        }

        private static LineProcess rank(Workbench bench, String rank, String port, String network, int batches)
                throws IOException {
            return PythonScript.start(bench, "ddp.py", rank, "2", port, Integer.toString(batches), network);
        }

        /** Trains once and returns the samples per second of both together. The first call includes the start. */
        public double samplesPerSecond() throws IOException {
            for (LineProcess rank : ranks) {
                rank.tell("go");
            }
            double samplesPerSecond = Double.parseDouble(ranks.get(0).hear());
            ranks.get(1).hear();
            return samplesPerSecond;
        }
    }
}
