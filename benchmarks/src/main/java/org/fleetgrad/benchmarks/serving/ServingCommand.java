package org.fleetgrad.benchmarks.serving;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.fleetgrad.benchmarks.page.PageCommand;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.idx.IdxDataset;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code serving}. */
@Command(
        name = "serving",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures predictions during training: what each place to serve from and each policy costs the training and"
                        + " the clients, how much workers of different versions disagree, and how many responses from the"
                        + " trained tensors themselves are torn. The machine must be otherwise idle for some 10 minutes.",
        footer = {
            "",
            "Examples:",
            "  fleetgrad bench serving --quick                          a look at each, in about a minute",
            "  fleetgrad bench serving --data MNIST_DIR --out results   CSV, JSON and pictures",
            "  fleetgrad bench serving --write docs/serving-experiments.md"
        })
public final class ServingCommand extends PageCommand {

    enum Experiment {
        PLACES,
        DISAGREEMENT,
        TORN;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder with a dataset: MNIST's IDX files (default: generated digits)")
    private @Nullable Path data;

    @Option(names = "--quick", description = "Measure each experiment for a few seconds, about a minute in all")
    private boolean isQuick;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description = "Measure only these: ${COMPLETION-CANDIDATES}")
    private List<Experiment> only = List.of(Experiment.values());

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Seed of the initial parameters and of the order of samples (default: ${DEFAULT-VALUE})")
    private int seed;

    @Option(names = "--out", paramLabel = "DIR", description = "Write to this folder: CSV, JSON and pictures")
    private @Nullable Path folder;

    @Option(
            names = "--write",
            paramLabel = "FILE",
            description = "Replace the measured part of this page, and write the pictures beside it")
    private @Nullable Path page;

    @Override
    public Integer call() throws Exception {
        require(seed >= 0, "--seed must be 0 or more; it is " + seed);
        require(
                page == null || (only.size() == Experiment.values().length && !isQuick),
                "--write replaces all tables, so it goes with neither --only nor --quick");
        long begin = System.nanoTime();
        ServingResults results = measure(isQuick ? Experiments.quick() : Experiments.full());
        double minutes = (System.nanoTime() - begin) / 60e9;
        PrintWriter out = out();
        out.printf(Locale.ROOT, "%s%nMeasured in %.1f min.%n", results.markdown(""), minutes);
        out.flush();
        if (folder != null) {
            results.writeFiles(folder);
        }
        if (page != null) {
            results.writePage(head() + String.format(Locale.ROOT, "- measured in %.1f min%n", minutes), page);
        }
        return 0;
    }

    private ServingResults measure(Experiments experiments) throws Exception {
        ImageSamples train;
        ImageSamples test;
        if (data == null) {
            train = SyntheticDigits.generate(experiments.trainingSamples(), seed);
            test = SyntheticDigits.generate(experiments.heldOutSamples(), seed + 1L);
        } else {
            IdxDataset dataset = IdxDataset.open(data);
            train = dataset.train();
            test = dataset.test();
            int trained = experiments.trainingSamples();
            int heldOut = experiments.heldOutSamples();
            require(
                    train.count() >= trained && test.count() >= heldOut,
                    "--data %s has %d training and %d held-out samples; %d and %d are the least"
                            .formatted(data, train.count(), test.count(), trained, heldOut));
        }
        Optional<Places> places =
                only.contains(Experiment.PLACES) ? Optional.of(places(experiments, train, test)) : Optional.empty();
        List<GapExperiment.Figure> gaps = only.contains(Experiment.DISAGREEMENT)
                ? new GapExperiment(train, test, experiments.gaps(), seed).measure(ServingCommand::progress)
                : List.of();
        List<TornExperiment.Figure> torn = only.contains(Experiment.TORN)
                ? new TornExperiment(train, test, experiments.torn(), seed).measure(ServingCommand::progress)
                : List.of();
        return new ServingResults(places, gaps, torn);
    }

    private Places places(Experiments experiments, ImageSamples train, ImageSamples test) throws Exception {
        try (Programs programs = new Programs()) {
            return new PlacesExperiment(new Workbench(programs, 1), experiments.places(), train, test, seed).measure();
        }
    }

    private static void progress(String text) {
        System.err.println("  " + text);
    }
}
