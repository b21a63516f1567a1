package org.fleetgrad.cli.runs;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.fleetgrad.runs.kept.KeptRun;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.kept.RunState;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code fleetgrad runs} and {@code fleetgrad runs list} have in common: all of it. */
final class RunsListing {

    @Mixin
    private final RunsPlace place = new RunsPlace();

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description =
                    "States to list: ${COMPLETION-CANDIDATES}; repeat the option for several (default: all of them)")
    private List<RunState> states = new ArrayList<>();

    @Option(
            names = "--network",
            paramLabel = "NAME",
            description = "Network, such as resnet20: list the runs whose network's name contains this")
    private @Nullable String network;

    @Option(
            names = "--dataset",
            paramLabel = "NAME",
            description = "Dataset, such as mnist: list the runs whose dataset's name contains this")
    private @Nullable String dataset;

    @Option(
            names = "--tag",
            paramLabel = "TAG",
            description = "Word that several runs share: list those; with several, the runs that have them all")
    private List<String> tags = new ArrayList<>();

    @Option(
            names = "--sort",
            paramLabel = "BY",
            defaultValue = "when",
            description = "Order of the runs: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}, the newest first)")
    private RunOrder order = RunOrder.WHEN;

    @Option(
            names = "--rebuild",
            description =
                    "Make the index of runs with folders elsewhere anew, from those that it has, from what lies beside"
                            + " them, and from --look-in")
    private boolean isRebuilt;

    @Option(
            names = "--look-in",
            paramLabel = "DIR",
            description = "Folder in which runs may lie, up to four levels deep; with --rebuild, once or several times")
    private List<Path> places = new ArrayList<>();

    @Option(names = "--json", description = "Print the result as JSON: one object")
    private boolean json;

    void list() throws RunFailedException {
        KeptRuns runs = place.runs();
        if (isRebuilt || !places.isEmpty()) {
            place.tell("runs outside of %s: %d".formatted(runs.place(), runs.rebuild(places)));
        }
        List<KeptRun> all = runs.all();
        Instant now = Instant.now();
        List<KeptRun> listed = order.sorted(all.stream().filter(this::isWanted).toList(), now);
        if (json) {
            place.print(RunJson.list(runs.place(), listed, now));
        } else if (all.isEmpty()) {
            place.print("there is no run in %s yet: fleetgrad demo makes one".formatted(runs.place()));
        } else if (listed.isEmpty()) {
            place.print("none of the %d runs in %s is what you asked for".formatted(all.size(), runs.place()));
        } else {
            place.print(RunTable.of(listed, now));
        }
    }

    private boolean isWanted(KeptRun run) {
        return (states.isEmpty() || states.contains(run.state()))
                && contains(run.facts().network(), network)
                && contains(run.facts().dataset(), dataset)
                && run.facts().label().tags().containsAll(tags);
    }

    private static boolean contains(String text, @Nullable String wanted) {
        return wanted == null || text.toLowerCase(Locale.ROOT).contains(wanted.toLowerCase(Locale.ROOT));
    }
}
