package org.fleetgrad.cli.runs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.fleetgrad.runs.kept.KeptRun;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.kept.RunRemoval;
import org.fleetgrad.runs.output.RunFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fleetgrad runs rm}. */
@Command(
        name = "rm",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Removes runs that are not running, with checkpoints and models. Of a folder elsewhere it leaves what no run writes.",
        footer = {"", "Examples:", "  fleetgrad runs rm first second", "  fleetgrad runs rm LAST --yes"})
final class RemoveRunsCommand implements Callable<Integer> {

    @Mixin
    private final RunsPlace place = new RunsPlace();

    @Parameters(arity = "1..*", paramLabel = "RUN", description = "Names of runs, their folders, LAST or BEST")
    private List<String> wanted = new ArrayList<>();

    @Option(names = "--yes", description = "Remove without a question")
    private boolean isSure;

    @Override
    public Integer call() throws RunFailedException {
        KeptRuns runs = place.runs();
        RunRemoval removal = new RunRemoval(runs);
        List<KeptRun> all = runs.all();
        Set<KeptRun> meant = new LinkedHashSet<>();
        // All are found before the first is removed: LAST is then another one.
        for (String each : wanted) {
            KeptRun run = RunChoice.find(place, runs, all, each);
            removal.requireRemovable(run);
            meant.add(run);
        }
        BufferedReader answers = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
        for (KeptRun run : meant) {
            List<String> others = removal.others(run);
            if (!isSure && !isAgreed(run, answers)) {
                place.tell("%s stays".formatted(run.title()));
                continue;
            }
            removal.remove(run);
            place.print("removed %s".formatted(run.title()));
            if (!others.isEmpty()) {
                place.tell("%s stays, with what no run writes: %s".formatted(run.folder(), String.join(", ", others)));
            }
        }
        return 0;
    }

    private boolean isAgreed(KeptRun run, BufferedReader answers) throws RunFailedException {
        place.tell("remove %s, with all of its checkpoints and its model, from %s? Type yes:"
                .formatted(run.title(), run.folder()));
        try {
            String answer = answers.readLine();
            if (answer == null) {
                throw RunFailedException.input("nobody answers: --yes removes without a question");
            }
            String word = answer.strip().toLowerCase(Locale.ROOT);
            return word.equals("yes") || word.equals("y");
        } catch (IOException closed) {
            throw RunFailedException.input("nobody answers: --yes removes without a question");
        }
    }
}
