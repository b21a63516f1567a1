package org.fleetgrad.runs.search;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.files.text.CsvCell;
import org.fleetgrad.runs.kept.Measure;
import org.fleetgrad.runs.kept.MeasureKind;

/** {@code trials.csv} in a search's folder (RFC 4180), for a spreadsheet or pandas. It is made anew from the trials' folders. */
public final class TrialTable {

    /** The file. */
    public static final String FILE = "trials.csv";

    private static final String END = "\r\n";

    private TrialTable() {}

    /** Writes the table; a disk that is full takes it later, and the search needs it not. */
    static void write(SearchResult result, Consumer<String> teller) {
        try {
            AtomicFile.write(result.folder().resolve(FILE), text(result).getBytes(StandardCharsets.UTF_8));
        } catch (IOException unwritable) {
            teller.accept("%s is not up to date: %s".formatted(FILE, unwritable));
        }
    }

    static String text(SearchResult result) {
        List<String> head = new ArrayList<>(List.of("trial", "name"));
        result.plan().variations().forEach(variation -> head.add(variation.option()));
        head.addAll(List.of("state", "rung", "measure", "best", "best_version", "version", "seconds", "note"));
        StringBuilder table = new StringBuilder(row(head));
        for (TrialResult trial : result.trials()) {
            List<String> cells = new ArrayList<>();
            cells.add(Integer.toString(trial.trial().number()));
            cells.add(trial.trial().name());
            cells.addAll(trial.trial().values().values());
            cells.add(trial.state());
            cells.add(Integer.toString(trial.rung()));
            cells.add(trial.best()
                    .map(Measure::kind)
                    .map(MeasureKind::name)
                    .orElse("")
                    .toLowerCase(Locale.ROOT));
            cells.add(trial.best().map(best -> Double.toString(best.value())).orElse(""));
            cells.add(trial.best().map(best -> Long.toString(best.version())).orElse(""));
            cells.add(trial.version() < 0 ? "" : Long.toString(trial.version()));
            cells.add(String.format(Locale.ROOT, "%.1f", trial.seconds()));
            cells.add(trial.note());
            table.append(row(cells));
        }
        return table.toString();
    }

    private static String row(List<String> cells) {
        return String.join(",", cells.stream().map(TrialTable::cell).toList()) + END;
    }

    /** A text that begins like a formula would be one in a spreadsheet; a number is none. */
    private static String cell(String text) {
        boolean isFormula = text.matches("(?s)[=@].*") || text.matches("(?s)[+-][^\\d.].*");
        return CsvCell.of(isFormula ? "'" + text : text);
    }
}
