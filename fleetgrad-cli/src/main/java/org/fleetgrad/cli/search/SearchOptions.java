package org.fleetgrad.cli.search;

import static org.fleetgrad.cli.options.OptionCheck.accept;
import static org.fleetgrad.cli.options.OptionCheck.require;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.fleetgrad.runs.search.SearchMethod;
import org.fleetgrad.runs.search.TrialValues;
import org.fleetgrad.runs.search.Variation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say what is searched. */
final class SearchOptions {

    private static final int USUAL_RUNS = 16;
    private static final int USUAL_ETA = 3;
    private static final int MOST_PARALLEL = 64;

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--vary",
            paramLabel = "OPTION=VALUES",
            description = {
                "Option of train with the values to try: a,b,c; LOW..HIGH, drawn evenly; LOW..HIGH:log, drawn with equal"
                        + " factors; LOW..HIGH:5 or LOW..HIGH:log:5, five values from end to end. Repeat it for several options"
            })
    private List<String> vary = new ArrayList<>();

    @Option(names = "--runs", paramLabel = "N", description = "Number of trials, at most (default: 16)")
    private @Nullable Integer runs;

    @Option(
            names = "--method",
            paramLabel = "METHOD",
            description = "How to search: grid, every combination of listed values; random; halving, which begins like"
                    + " random with short trials, and trains only the best of them on (default: grid, if --runs has"
                    + " room for it, else random)")
    private @Nullable SearchMethod method;

    @Option(
            names = "--eta",
            paramLabel = "N",
            description =
                    "With --method halving: one of so many trials trains on, for so many times the budget (default: 3)")
    private @Nullable Integer eta;

    @Option(
            names = "--search-seed",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Seed of the values that are drawn; --seed is that of each training (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Trials that train at a time, each with its own programs and ports, on the same processors (default:"
                            + " ${DEFAULT-VALUE}). No part of the plan: a search may go on with another number")
    private int parallel = 1;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Write to this folder: the plan, a table and the trials' runs; in the folder of the same search,"
                            + " go on with it (default: runs/NAME)")
    private @Nullable Path out;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "Name of the search: the tag of its trials, whose own names begin with it (default: that of the"
                            + " folder, which is search-<time>)")
    private @Nullable String name;

    @Option(
            names = "--resume",
            paramLabel = "SEARCH",
            description =
                    "Go on from where a search was interrupted: its folder. Trials that failed or were stopped are"
                            + " tried again; no other option is needed")
    private @Nullable Path resume;

    @Nullable
    Path out() {
        return out;
    }

    @Nullable
    String name() {
        return name;
    }

    @Nullable
    Path resume() {
        require(
                command,
                resume == null
                        || (vary.isEmpty()
                                && runs == null
                                && method == null
                                && eta == null
                                && out == null
                                && name == null),
                "--resume goes on with the plan in the search's folder: leave out --vary, --runs, --method, --eta, --out and --name");
        return resume;
    }

    int parallel() {
        require(
                command,
                parallel >= 1 && parallel <= MOST_PARALLEL,
                "--parallel must be from 1 to %d; it is %d".formatted(MOST_PARALLEL, parallel));
        return parallel;
    }

    long seed() {
        return seed;
    }

    int eta() {
        int chosen = eta == null ? USUAL_ETA : eta;
        require(command, chosen >= 2 && chosen <= 100, "--eta must be from 2 to 100; it is " + chosen);
        return chosen;
    }

    List<Variation> variations() {
        require(
                command,
                !vary.isEmpty(),
                "nothing varies: pass --vary OPTION=VALUES, such as --vary learning-rate=0.003..0.1:log, or --resume SEARCH");
        return vary.stream()
                .map(text -> accept(command, "--vary", () -> Variation.parse(text)))
                .toList();
    }

    private int runs() {
        int chosen = runs == null ? USUAL_RUNS : runs;
        require(
                command,
                chosen >= 1 && chosen <= TrialValues.MOST_TRIALS,
                "--runs must be from 1 to %,d; it is %,d".formatted(TrialValues.MOST_TRIALS, chosen));
        return chosen;
    }

    SearchMethod method(List<Variation> variations) {
        OptionalLong all = TrialValues.combinations(variations);
        SearchMethod chosen = method != null
                ? method
                : all.isPresent() && all.getAsLong() <= runs() && isListed(variations)
                        ? SearchMethod.GRID
                        : SearchMethod.RANDOM;
        require(
                command,
                eta == null || chosen == SearchMethod.HALVING,
                "--eta is an option of --method halving; the method is " + chosen);
        return chosen;
    }

    private static boolean isListed(List<Variation> variations) {
        return variations.stream().allMatch(Variation::isListed);
    }

    List<List<String>> values(List<Variation> variations, SearchMethod chosen) {
        List<List<String>> values = chosen == SearchMethod.GRID
                ? accept(command, "--vary", () -> TrialValues.grid(variations, runs()))
                : TrialValues.drawn(variations, runs(), seed);
        require(
                command,
                chosen != SearchMethod.HALVING || values.size() >= eta(),
                "--method halving with --eta %d needs %d trials or more; these are %d: pass --method random, or vary more"
                        .formatted(eta(), eta(), values.size()));
        return values;
    }
}
