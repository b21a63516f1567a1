package org.fleetgrad.cli.search;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.fleetgrad.cli.display.Terminal;
import org.fleetgrad.cli.options.OptionCheck;
import org.fleetgrad.cli.options.PlainOption;
import org.fleetgrad.runs.RunFolder;
import org.fleetgrad.runs.kept.KeptRun;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.search.Search;
import org.fleetgrad.runs.search.SearchFolder;
import org.fleetgrad.runs.search.SearchMethod;
import org.fleetgrad.runs.search.SearchPlan;
import org.fleetgrad.runs.search.SearchPlan.Drawn;
import org.fleetgrad.runs.search.SearchResult;
import org.fleetgrad.runs.search.SearchState;
import org.fleetgrad.runs.search.Trial;
import org.fleetgrad.runs.search.Variation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code fleetgrad search}: trains with several values of options, and says which are the best. */
@Command(
        name = "search",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Tries values of options, and says which are the best.",
            "Trains with them one run after the other, or several at a time with --parallel, each of which fleetgrad runs lists. Every other option is train's, and each trial has it: fleetgrad train --help lists them."
        },
        footer = {
            "",
            "Examples:",
            "  fleetgrad search --vary learning-rate=0.003..0.1:log --vary momentum=0.8,0.9 --runs 16 --data DIR --workers 2",
            "  fleetgrad search --vary batch-size=16,32,64 --vary optimizer=sgd,adamw --data DIR --epochs 5 --json",
            "  fleetgrad search --method halving --runs 27 --vary learning-rate=0.001..0.3:log --data DIR --name rates",
            "  fleetgrad search --resume runs/rates"
        })
public final class SearchCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec command;

    @Mixin
    private final SearchOptions options = new SearchOptions();

    @Mixin
    private final PlainOption plain = new PlainOption();

    @Option(names = "--json", description = "Print the result as JSON: one object, the last line of stdout")
    private boolean json;

    @Unmatched
    private List<String> words = new ArrayList<>();

    private CommandSpec spec() {
        return Objects.requireNonNull(command);
    }

    @Override
    public Integer call() throws RunFailedException, InterruptedException, IOException {
        Path resumed = options.resume();
        int parallel = options.parallel();
        Optional<SearchPlan> plan = resumed == null ? Optional.of(plan()) : Optional.empty();
        OptionCheck.require(
                spec(),
                resumed == null || words.isEmpty(),
                "--resume goes on with the options in the search's plan: leave out %s"
                        .formatted(String.join(" ", words)));
        Path folder = (resumed == null ? folder() : resumed).toAbsolutePath().normalize();
        if (resumed != null && !SearchFolder.isSearch(folder)) {
            throw RunFailedException.input(
                    "--resume %s: there is no search: %s is missing; to go on with one run pass fleetgrad train --resume"
                            .formatted(resumed, folder.resolve(SearchFolder.FILE)));
        }
        Terminal terminal = Terminal.ofProcess(plain.isPlain());
        KeptRuns runs = KeptRuns.in(KeptRuns.place(System.getenv()));
        try (SearchFolder opened = SearchFolder.open(folder)) {
            Optional<SearchState> state = opened.read();
            SearchPlan chosen = state.isPresent()
                    ? known(folder, state.get().plan(), plan)
                    : fresh(folder, plan.orElseThrow(), runs);
            TrainProcess process = new TrainProcess(chosen.directory(), folder, terminal);
            terminal.tell(SearchText.begin(chosen, folder, state.isPresent()));
            SearchResult result;
            try {
                Search search = state.isPresent()
                        ? Search.resume(opened, state.get(), runs, process, terminal, parallel)
                        : Search.begin(opened, chosen, runs, process, terminal, parallel);
                result = search.run();
            } finally {
                process.end();
            }
            terminal.tell(SearchText.of(result));
            if (json) {
                terminal.print(SearchOutput.json(result));
            }
            return 0;
        }
    }

    private SearchPlan plan() throws IOException {
        List<Variation> variations = options.variations();
        SearchMethod method = options.method(variations);
        TrainArguments train = new TrainArguments(spec(), words);
        train.require(variations, method);
        List<List<String>> values = options.values(variations, method);
        List<Drawn> drawn = new ArrayList<>();
        for (List<String> trial : values) {
            drawn.add(new Drawn(trial, train.until(variations, trial, drawn.size() + 1, method)));
        }
        String called = options.name() != null
                ? options.name()
                : String.valueOf(folder().toAbsolutePath().normalize().getFileName());
        return OptionCheck.accept(
                spec(),
                "--name",
                () -> new SearchPlan(
                        called,
                        method,
                        options.eta(),
                        options.seed(),
                        variations,
                        words,
                        Path.of("").toAbsolutePath(),
                        drawn));
    }

    private @Nullable Path made;

    /** The user's folder, or one of the name, or of the time: the same one each time it is asked for. */
    private Path folder() {
        Path known = made;
        if (known == null) {
            Path usual = RunFolder.of(Optional.empty());
            known = options.out() != null
                    ? options.out()
                    : usual.resolveSibling(options.name() != null ? options.name() : "search-" + usual.getFileName());
            made = known;
        }
        return known;
    }

    /** The same command again goes on; another one would mix two searches. */
    private static SearchPlan known(Path folder, SearchPlan known, Optional<SearchPlan> asked)
            throws RunFailedException {
        if (asked.isPresent() && !asked.get().equals(known)) {
            throw RunFailedException.input(
                    "%s has another search, %s: fleetgrad search --resume %s goes on with it; for a new one pass another --out or --name"
                            .formatted(folder, SearchText.difference(known, asked.get()), folder));
        }
        return known;
    }

    private static SearchPlan fresh(Path folder, SearchPlan plan, KeptRuns runs) throws RunFailedException {
        if (runs.look(folder).isPresent()) {
            throw RunFailedException.input("%s is the folder of a run: pass another --out or --name".formatted(folder));
        }
        Set<String> taken = new HashSet<>();
        for (KeptRun run : runs.all()) {
            taken.add(run.title());
            taken.add(run.folderName());
        }
        for (Trial trial : plan.trials(folder)) {
            if (taken.contains(trial.name())) {
                throw RunFailedException.input(
                        "a run is called %s already, as a trial would be: pass another --name".formatted(trial.name()));
            }
        }
        return plan;
    }
}
