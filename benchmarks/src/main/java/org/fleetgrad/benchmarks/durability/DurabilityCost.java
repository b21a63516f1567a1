package org.fleetgrad.benchmarks.durability;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.training.WarmFleet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.files.FolderTree;

/** Measures two workers with each durability, compared with none. Each round has a new folder and a new server. */
public record DurabilityCost(Workbench bench) {

    private static final int WORKERS = 2;
    private static final int SAMPLES = 10_000;
    /** Long enough that a measured round has two or more of the short checkpoint intervals. */
    private static final int EPOCHS = 6;

    private static final double CHECKPOINT_GOAL = 0.97;
    private static final double JOURNAL_GOAL = 0.95;

    private record Kept(String word, String what, double goal, String mode, String interval) {

        static final Kept NONE = new Kept("none", "no durability", 1, "none", "60s");
        static final List<Kept> ALL = List.of(
                NONE,
                new Kept("checkpoint", "checkpoints, every 60 s", CHECKPOINT_GOAL, "checkpoint", "60s"),
                new Kept("often", "checkpoints, every 5 s", CHECKPOINT_GOAL, "checkpoint", "5s"),
                new Kept("journal", "journal", JOURNAL_GOAL, "journal", "60s"));
    }

    public List<Figure> measure() throws Exception {
        WarmFleet fleet = WarmFleet.start(bench, WORKERS, SyntheticDigits.generate(SAMPLES, 1));
        Comparison<Kept> rates = bench.compare(Kept.ALL, kept -> rate(kept, fleet));
        return Kept.ALL.stream()
                .skip(1)
                .map(kept -> Figure.of("durability-" + kept.word(), "training, " + kept.what())
                        .ours(rates.of(kept), "samples/s")
                        .limit(rates.of(Kept.NONE), "no durability")
                        .ratioAtLeast(kept.goal()))
                .toList();
    }

    private double rate(Kept kept, WarmFleet fleet) throws Exception {
        Path location = Files.createTempDirectory(bench.programs().folder(), "location");
        Programs.Server server = bench.programs()
                .startServerWithParameters(Map.of(
                        "PS_DURABILITY_MODE", kept.mode(),
                        "PS_DURABILITY_CHECKPOINTINTERVAL", kept.interval(),
                        "PS_DURABILITY_LOCATION", location.toString()));
        // Lets the JIT compile the server's code.
        fleet.train(server, 1);
        double rate = fleet.train(server, EPOCHS);
        Programs.end(server.process());
        FolderTree.delete(location);
        return rate;
    }
}
