package org.fleetgrad.cli.runs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.cli.display.Amounts;
import org.fleetgrad.cli.display.TextTable;
import org.fleetgrad.runs.kept.KeptRun;
import org.fleetgrad.runs.kept.Measure;
import org.fleetgrad.runs.kept.RunFacts;

/** Writes runs as a table. */
final class RunTable {

    private static final List<String> HEAD =
            List.of("NAME", "STATE", "NETWORK", "DATA", "BEST", "DURATION", "COST", "WHEN", "TAGS");
    private static final Set<String> TEXTS = Set.of("NAME", "STATE", "NETWORK", "DATA", "BEST", "TAGS");
    private static final int LONGEST = 32;

    private RunTable() {}

    static String of(List<KeptRun> runs, Instant now) {
        TextTable table = new TextTable(HEAD, TEXTS);
        runs.forEach(run -> table.add(row(run, now)));
        return table.text();
    }

    private static List<String> row(KeptRun run, Instant now) {
        RunFacts facts = run.facts();
        return List.of(
                cut(run.title()),
                run.state().toString(),
                cut(network(facts.network())),
                cut(facts.dataset()),
                facts.best().map(Measure::text).orElse("-"),
                duration(run.duration(now)),
                cost(facts),
                "%s ago".formatted(Amounts.age(Duration.between(facts.began(), now))),
                cut(String.join(",", facts.label().tags())));
    }

    /** The arguments of a network say what the data leave open, or are a whole graph. */
    private static String network(String name) {
        int arguments = name.indexOf('?');
        return arguments < 0 ? name : name.substring(0, arguments);
    }

    private static String cut(String text) {
        return text.isEmpty() ? "-" : TextTable.cut(text, LONGEST);
    }

    /** Writes a time in its two largest units. */
    static String duration(Optional<Duration> time) {
        if (time.isEmpty()) {
            return "-";
        }
        long seconds = time.get().toSeconds();
        if (seconds < 60) {
            return seconds + " s";
        }
        return seconds < 3600
                ? "%d min %02d s".formatted(seconds / 60, seconds % 60)
                : "%d h %02d min".formatted(seconds / 3600, seconds / 60 % 60);
    }

    static String cost(RunFacts facts) {
        return facts.figures().get("cost") instanceof Number cost
                ? String.format(
                                Locale.ROOT,
                                "%.4f %s",
                                cost.doubleValue(),
                                facts.figures().getOrDefault("currency", ""))
                        .strip()
                : "-";
    }
}
