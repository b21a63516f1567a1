package org.fleetgrad.cli.search;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.fleetgrad.cli.display.ShellWord;
import org.fleetgrad.cli.display.TextTable;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.runs.kept.Measure;
import org.fleetgrad.runs.search.Rung;
import org.fleetgrad.runs.search.SearchMethod;
import org.fleetgrad.runs.search.SearchPlan;
import org.fleetgrad.runs.search.SearchResult;
import org.fleetgrad.runs.search.Trial;
import org.fleetgrad.runs.search.TrialResult;
import org.fleetgrad.runs.search.TrialTable;
import org.fleetgrad.runs.search.TrialWords;
import org.fleetgrad.runs.search.Variation;

/** Writes a search for people. */
final class SearchText {

    private static final int LONGEST_VALUE = 40;
    private static final int LONGEST_NOTE = 80;

    private SearchText() {}

    /** Says what is searched. */
    static String begin(SearchPlan plan, Path folder, boolean isKnown) {
        List<Rung> rungs = plan.rungs();
        double budget = 0;
        for (int i = 0; i < rungs.size(); i++) {
            budget += rungs.get(i).trials() * plan.share(i);
        }
        String cost = plan.method() == SearchMethod.HALVING
                ? String.format(
                        Locale.ROOT,
                        "; %d rungs, as much work as %.1f whole trainings in place of %d",
                        rungs.size(),
                        budget,
                        plan.drawn().size())
                : "";
        return "%s %s: %d trials of %s, by %s%s; in %s"
                .formatted(
                        isKnown ? "going on with" : "searching",
                        plan.name(),
                        plan.drawn().size(),
                        String.join(
                                " and ",
                                plan.variations().stream()
                                        .map(Variation::option)
                                        .toList()),
                        plan.method(),
                        cost,
                        folder);
    }

    /** Says in what two plans differ. */
    static String difference(SearchPlan known, SearchPlan asked) {
        if (!known.variations().equals(asked.variations())) {
            return "which varies %s"
                    .formatted(known.variations().stream().map(Variation::text).toList());
        }
        if (!known.words().equals(asked.words())) {
            return "whose trials have the options %s".formatted(Printable.text(String.join(" ", known.words())));
        }
        return "by %s, with %d trials, --search-seed %d and --eta %d, called %s, of the working directory %s"
                .formatted(
                        known.method(),
                        known.drawn().size(),
                        known.seed(),
                        known.eta(),
                        known.name(),
                        known.directory());
    }

    /** Writes the trials as a table, the best first, and says what to do with the best. */
    static String of(SearchResult result) {
        List<String> head = new ArrayList<>(List.of("TRIAL"));
        Set<String> texts = new TreeSet<>(Set.of("TRIAL", "STATE", "BEST", "NOTE"));
        for (Variation variation : result.plan().variations()) {
            head.add(variation.option().toUpperCase(Locale.ROOT));
        }
        head.addAll(List.of("BEST", "STEPS", "SECONDS", "STATE", "NOTE"));
        TextTable table = new TextTable(head, texts);
        result.trials().forEach(trial -> table.add(row(trial)));
        List<String> lines = new ArrayList<>(List.of(table.text()));
        lines.add("the table is %s".formatted(result.folder().resolve(TrialTable.FILE)));
        if (result.open() > 0) {
            lines.add(
                    "trials that failed, were stopped or have not begun: %d; fleetgrad search --resume %s tries them again"
                            .formatted(result.open(), result.folder()));
        }
        best(result).ifPresent(best -> lines.addAll(advice(result.plan(), best)));
        return String.join(System.lineSeparator(), lines);
    }

    /** Returns the best trial; empty if none has a held-out result. */
    static Optional<TrialResult> best(SearchResult result) {
        return result.trials().stream()
                .filter(trial -> trial.best().isPresent())
                .findFirst();
    }

    private static List<String> advice(SearchPlan plan, TrialResult best) {
        Path folder = best.trial().folder();
        List<String> words = TrialWords.of(
                plan.words(),
                plan.variations(),
                List.copyOf(best.trial().values().values()));
        String options = String.join(" ", words.stream().map(ShellWord::of).toList());
        return List.of(
                "best: %s, held-out %s, with %s"
                        .formatted(
                                best.trial().name(),
                                best.best().map(Measure::text).orElse(""),
                                best.trial().text()),
                "export it: fleetgrad model export --checkpoints %s --best --out best.safetensors"
                        .formatted(ShellWord.of(folder.toString())),
                "train it longer, here with twice the budget: fleetgrad train %s --out %s --resume %s %s"
                        .formatted(
                                options,
                                ShellWord.of(folder.toString()),
                                ShellWord.of(folder.toString()),
                                twice(best.trial())));
    }

    /** The last option counts, so this one overrules that of the search. */
    private static String twice(Trial trial) {
        return trial.until().step().isPresent()
                ? "--until %d".formatted(2 * trial.until().step().getAsLong())
                : "--epochs %.0f".formatted(Math.ceil(2 * trial.until().amount()));
    }

    private static List<String> row(TrialResult trial) {
        List<String> row = new ArrayList<>(List.of(trial.trial().name()));
        trial.trial().values().values().forEach(value -> row.add(TextTable.cut(value, LONGEST_VALUE)));
        row.add(trial.best().map(Measure::text).orElse("-"));
        row.add(trial.version() < 0 ? "-" : String.format(Locale.ROOT, "%,d", trial.version()));
        row.add(trial.seconds() <= 0 ? "-" : String.format(Locale.ROOT, "%.1f", trial.seconds()));
        row.add(trial.state());
        row.add(trial.note().isEmpty() ? "" : TextTable.cut(Printable.text(trial.note()), LONGEST_NOTE));
        return row;
    }
}
