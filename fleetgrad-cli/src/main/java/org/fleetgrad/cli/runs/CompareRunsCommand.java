package org.fleetgrad.cli.runs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.runs.kept.KeptRun;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.kept.RunComparison;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fleetgrad runs compare}. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Compares runs: the settings that differ, the results, and the curves, one over the other.",
        footer = {
            "",
            "Examples:",
            "  fleetgrad runs compare LAST BEST",
            "  fleetgrad runs compare first second third --html comparison.html"
        })
final class CompareRunsCommand implements Callable<Integer> {

    @Mixin
    private final RunsPlace place = new RunsPlace();

    @Parameters(
            arity = "2..8",
            paramLabel = "RUN",
            description = "Names of runs, their folders, LAST or BEST: from two to eight")
    private List<String> wanted = new ArrayList<>();

    @Option(names = "--html", paramLabel = "FILE", description = "Write the comparison as one page to this file")
    private @Nullable Path page;

    @Option(names = "--json", description = "Print the result as JSON: one object")
    private boolean json;

    @Override
    public Integer call() throws RunFailedException {
        KeptRuns runs = place.runs();
        List<KeptRun> all = runs.all();
        List<KeptRun> meant = new ArrayList<>();
        for (String each : wanted) {
            meant.add(RunChoice.find(place, runs, all, each));
        }
        RunComparison comparison = RunComparison.of(meant);
        if (page != null) {
            write(comparison, page);
        }
        place.print(
                json
                        ? ComparisonJson.of(comparison, Instant.now())
                        : ComparisonText.of(comparison, Integer.getInteger("fleetgrad.columns", 100)));
        return 0;
    }

    private void write(RunComparison comparison, Path file) throws RunFailedException {
        try {
            AtomicFile.write(file, ComparisonCharts.page(comparison).getBytes(StandardCharsets.UTF_8));
        } catch (IOException unwritable) {
            throw RunFailedException.input("--html %s: the file cannot be written: %s".formatted(file, unwritable));
        }
        place.tell("the comparison is %s".formatted(file));
    }
}
