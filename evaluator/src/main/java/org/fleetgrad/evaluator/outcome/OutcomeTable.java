package org.fleetgrad.evaluator.outcome;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.fleetgrad.evaluator.outcome.Outcomes.EvaluationOutcome;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.networks.Question.Labels;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.RowTask;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.ClassDetails.ClassFigures;
import org.fleetgrad.protocol.messages.LabelFigures;
import org.fleetgrad.protocol.messages.RegressionFigures;
import org.fleetgrad.serving.evaluation.Evaluation;

/** Writes evaluations as rows of a table that grows; an asterisk marks a version that is better than all above it. */
public final class OutcomeTable {

    private static final String ROW = "%10s  %8s  %8s  %10s  %8s  %s";

    private static final int WORST = 3;

    private OutcomeTable() {}

    /**
     * Returns the head of the table: of classes, of labels, of numbers, or of a text, whose tokens are mostly predicted wrongly even by a good
     * model.
     */
    public static String head(Task task) {
        if (task.question() instanceof Regression) {
            return String.format(Locale.ROOT, ROW, "VERSION", "R2", "LOSS", "RMSE", "SECONDS", "");
        }
        if (task.question() instanceof Labels) {
            return String.format(Locale.ROOT, ROW, "VERSION", "MICRO-F1", "LOSS", "MACRO-F1", "SECONDS", "");
        }
        if (task instanceof RowTask rows && rows.isBinary()) {
            return String.format(Locale.ROOT, ROW, "VERSION", "TOP-1", "AUC", "LOSS", "SECONDS", "");
        }
        return task instanceof LanguageModel
                ? String.format(Locale.ROOT, ROW, "VERSION", "LOSS", "PERPLEX.", "BITS/CHAR.", "SECONDS", "")
                : String.format(Locale.ROOT, ROW, "VERSION", "TOP-1", "TOP-5", "LOSS", "SECONDS", "");
    }

    /** Writes a row. */
    public static String row(EvaluationOutcome outcome, boolean isBest) {
        Evaluation measured = outcome.evaluation();
        List<String> figures = figures(measured);
        return String.format(
                        Locale.ROOT,
                        ROW + " %s",
                        String.format(Locale.ROOT, "%,d", measured.version().version()),
                        figures.get(0),
                        figures.get(1),
                        figures.get(2),
                        number("%.2f", Optional.of(outcome.seconds())),
                        isBest ? "*" : " ",
                        Printable.text(outcome.name()))
                .stripTrailing();
    }

    private static List<String> figures(Evaluation measured) {
        String loss = number("%.4f", Optional.of(measured.loss()));
        if (measured.regression().isPresent()) {
            RegressionFigures figures = measured.regression().get();
            return List.of(
                    number("%.4f", Optional.ofNullable(figures.r2())),
                    loss,
                    number("%.4g", Optional.of(figures.rmse())));
        }
        if (measured.labels().isPresent()) {
            LabelFigures figures = measured.labels().get();
            return List.of(
                    number("%.4f", Optional.of(figures.microF1())),
                    loss,
                    number("%.4f", Optional.of(figures.macroF1())));
        }
        if (measured.text().isPresent()) {
            return List.of(loss, number("%.2f", measured.perplexity()), number("%.4f", measured.bitsPerCharacter()));
        }
        String second = measured.binary().isPresent()
                ? number("%.4f", Optional.ofNullable(measured.binary().get().auc()))
                : percent(measured.accuracyTop5());
        return List.of(percent(measured.accuracy()), second, loss);
    }

    /** Returns a sentence that names the best version. */
    public static String best(EvaluationOutcome best) {
        Evaluation measured = best.evaluation();
        return String.format(
                Locale.ROOT,
                "best: version %,d of generation %s%s: %s, on %,d held-out samples",
                measured.version().version(),
                Printable.text(measured.version().generation()),
                best.name().isEmpty() ? "" : " (%s)".formatted(Printable.text(best.name())),
                summary(measured),
                measured.samples());
    }

    /** Returns a line about the classes of the best version; empty without them. */
    public static Optional<String> classes(EvaluationOutcome best) {
        return Optional.ofNullable(best.evaluation().details().classes())
                .map(classes -> String.format(
                        Locale.ROOT,
                        "macro F1 %.4f; least often right: %s",
                        classes.macroF1(),
                        classes.worst(WORST).stream().map(OutcomeTable::share).collect(Collectors.joining(", "))));
    }

    private static String share(ClassFigures figures) {
        return String.format(
                Locale.ROOT,
                "%s (%s of %,d)",
                Printable.text(figures.name()),
                percent(Optional.of(figures.recall())),
                figures.samples());
    }

    private static String summary(Evaluation measured) {
        if (measured.regression().isPresent()) {
            return numbers(measured, measured.regression().get());
        }
        if (measured.labels().isPresent()) {
            return labels(measured, measured.labels().get());
        }
        return measured.text().isPresent() ? text(measured) : classes(measured);
    }

    private static String numbers(Evaluation measured, RegressionFigures figures) {
        return String.format(
                Locale.ROOT,
                "R2 %s, RMSE %.4g, MAE %.4g, loss %.4f",
                number("%.4f", Optional.ofNullable(figures.r2())),
                figures.rmse(),
                figures.mae(),
                measured.loss());
    }

    private static String labels(Evaluation measured, LabelFigures figures) {
        return String.format(
                Locale.ROOT,
                "micro F1 %.4f, macro F1 %.4f, exact match %s, Hamming loss %.4f, AUC %s of %,d of %,d labels, loss %.4f",
                figures.microF1(),
                figures.macroF1(),
                percent(Optional.of(figures.exactMatch())),
                figures.hammingLoss(),
                number("%.4f", Optional.ofNullable(figures.macroAuc())),
                figures.labels() - figures.oneSided(),
                figures.labels(),
                measured.loss());
    }

    private static String text(Evaluation measured) {
        return String.format(
                Locale.ROOT,
                "loss %.4f, perplexity %s%s",
                measured.loss(),
                number("%.2f", measured.perplexity()),
                measured.bitsPerCharacter()
                        .map(bits -> String.format(Locale.ROOT, ", %.4f bits a character", bits))
                        .orElse(""));
    }

    private static String classes(Evaluation measured) {
        return String.format(
                Locale.ROOT,
                "top-1 %s%s%s, loss %.4f",
                percent(measured.accuracy()),
                measured.binary().map(OutcomeTable::twoClasses).orElse(""),
                measured.accuracyTop5()
                        .map(share -> ", top-5 " + percent(Optional.of(share)))
                        .orElse(""),
                measured.loss());
    }

    private static String twoClasses(BinaryFigures figures) {
        return String.format(
                Locale.ROOT,
                ", AUC %s, F1 %.4f, precision %.4f, recall %.4f",
                number("%.4f", Optional.ofNullable(figures.auc())),
                figures.f1(),
                figures.precision(),
                figures.recall());
    }

    private static String number(String format, Optional<Double> value) {
        return value.map(known -> String.format(Locale.ROOT, format, known)).orElse("-");
    }

    private static String percent(Optional<Double> share) {
        return share.map(value -> String.format(Locale.ROOT, "%.2f%%", value * 100))
                .orElse("-");
    }
}
