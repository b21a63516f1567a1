package org.fleetgrad.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.process.Invocation;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.TemporaryFolder;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;

/** Samples a second of two workers under each durability, beside none at all; a fresh folder and server each round. */
final class DurabilityCost {

    private static final int WORKERS = 2;
    private static final int SAMPLES = 10_000;
    /** A measured round lasts for two or more of the short checkpoint intervals. */
    private static final int EPOCHS = 6;

    private static final double CHECKPOINT_GOAL = 0.97;
    private static final double JOURNAL_GOAL = 0.85;

    private final Programs programs;
    private final TemporaryFolder folder;

    DurabilityCost(Programs programs, TemporaryFolder folder) {
        this.programs = programs;
        this.folder = folder;
    }

    /** One way to keep a run. */
    private enum Kept {
        NONE("no durability", 1, "none", "60s"),
        CHECKPOINT("checkpoints, every 60 s", CHECKPOINT_GOAL, "checkpoint", "60s"),
        OFTEN("checkpoints, every 5 s", CHECKPOINT_GOAL, "checkpoint", "5s"),
        JOURNAL("journal", JOURNAL_GOAL, "journal", "60s");

        private final String what;
        private final double goal;
        private final String mode;
        private final String interval;

        Kept(String what, double goal, String mode, String interval) {
            this.what = what;
            this.goal = goal;
            this.mode = mode;
            this.interval = interval;
        }
    }

    List<Figure> measure() throws Exception {
        ShardSet shards = ShardSet.write(
                folder.path().resolve("shards"),
                "digits",
                SyntheticDigits.generate(SAMPLES, 1),
                SyntheticDigits.generate(100, 2),
                WORKERS);
        List<Programs.Worker> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            workers.add(programs.startWorker());
        }
        for (Programs.Worker worker : workers) {
            Invocation.init(worker);
        }
        Map<Kept, double[]> rates = new LinkedHashMap<>();
        for (Kept kept : Kept.values()) {
            rates.put(kept, new double[Benchmarks.ROUNDS]);
        }
        for (int round = 0; round < Benchmarks.ROUNDS; round++) {
            for (Map.Entry<Kept, double[]> each : rates.entrySet()) {
                each.getValue()[round] = rate(each.getKey(), workers, shards.train());
            }
        }
        for (Programs.Worker worker : workers) {
            Programs.end(worker.process());
        }
        double none = Figure.median(rates.getOrDefault(Kept.NONE, new double[] {0}));
        List<Figure> figures = new ArrayList<>();
        rates.forEach((kept, measured) -> {
            if (kept != Kept.NONE) {
                figures.add(new Figure(
                        "training samples/s, " + kept.what,
                        Figure.median(measured),
                        none,
                        "no durability; the ratio is to be %.2f or more".formatted(kept.goal)));
            }
        });
        return figures;
    }

    private double rate(Kept kept, List<Programs.Worker> workers, List<Path> shards) throws Exception {
        Path location = Files.createDirectories(folder.fresh());
        Programs.Server server = programs.startServerWithParameters(Map.of(
                "PS_DURABILITY_MODE", kept.mode,
                "PS_DURABILITY_CHECKPOINTINTERVAL", kept.interval,
                "PS_DURABILITY_LOCATION", location.toString()));
        // Compiles the server's paths.
        TrainingThroughput.train(server, workers, shards, 1);
        double rate = TrainingThroughput.train(server, workers, shards, EPOCHS);
        Programs.end(server.process());
        TemporaryFolder.delete(location);
        return rate;
    }
}
