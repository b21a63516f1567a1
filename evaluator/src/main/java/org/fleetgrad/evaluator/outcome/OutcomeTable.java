package org.fleetgrad.evaluator.outcome;

import java.util.Locale;
import java.util.Optional;
import org.fleetgrad.evaluator.outcome.Outcomes.EvaluationOutcome;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.serving.evaluation.Evaluation;

/** Writes evaluations as rows of a table that grows; an asterisk marks a version that is better than all above it. */
public final class OutcomeTable {

    /** The head of the table. */
    public static final String HEAD = String.format(
            Locale.ROOT, "%10s  %8s  %8s  %10s  %8s  %s", "VERSION", "TOP-1", "TOP-5", "LOSS", "SECONDS", "");

    private OutcomeTable() {}

    /** Writes a row. */
    public static String row(EvaluationOutcome outcome, boolean isBest) {
        Evaluation measured = outcome.evaluation();
        return String.format(
                        Locale.ROOT,
                        "%,10d  %8s  %8s  %10.4f  %8.2f  %s %s",
                        measured.version().version(),
                        percent(Optional.of(measured.accuracy())),
                        percent(measured.accuracyTop5()),
                        measured.loss(),
                        outcome.seconds(),
                        isBest ? "*" : " ",
                        Printable.text(outcome.name()))
                .stripTrailing();
    }

    /** Returns a sentence that names the best version. */
    public static String best(EvaluationOutcome best) {
        Evaluation measured = best.evaluation();
        return String.format(
                Locale.ROOT,
                "best: version %,d of generation %s%s: top-1 %s%s, loss %.4f%s, on %,d held-out samples",
                measured.version().version(),
                Printable.text(measured.version().generation()),
                best.name().isEmpty() ? "" : " (%s)".formatted(Printable.text(best.name())),
                percent(Optional.of(measured.accuracy())),
                measured.accuracyTop5()
                        .map(share -> ", top-5 " + percent(Optional.of(share)))
                        .orElse(""),
                measured.loss(),
                measured.perplexity()
                        .map(value -> String.format(Locale.ROOT, " (perplexity %.2f)", value))
                        .orElse(""),
                measured.samples());
    }

    private static String percent(Optional<Double> share) {
        return share.map(value -> String.format(Locale.ROOT, "%.2f%%", value * 100))
                .orElse("-");
    }
}
