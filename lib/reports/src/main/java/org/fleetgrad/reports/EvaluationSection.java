package org.fleetgrad.reports;

import static org.fleetgrad.reports.chart.Markup.format;
import static org.fleetgrad.reports.chart.Markup.text;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.fleetgrad.protocol.messages.ClassDetails;
import org.fleetgrad.protocol.messages.EvaluationDetails;
import org.fleetgrad.protocol.messages.HeldOutEvaluation;
import org.fleetgrad.protocol.messages.LabelDetails;
import org.fleetgrad.protocol.messages.LabelDetails.OneLabel;
import org.fleetgrad.protocol.messages.NumberPairs;
import org.fleetgrad.protocol.messages.RocCurve;
import org.fleetgrad.reports.chart.Chart.Point;
import org.fleetgrad.reports.chart.SquarePlot;
import org.jspecify.annotations.Nullable;

/** Writes what the model gets right and wrong, for people: of which version, and a table or a picture of each kind of detail. */
final class EvaluationSection {

    private EvaluationSection() {}

    /** Writes the section; nothing without details. */
    static String write(Report report) {
        HeldOutEvaluation evaluation = report.evaluation();
        if (evaluation == null
                || evaluation.details() == null
                || evaluation.details().equals(EvaluationDetails.NONE)) {
            return "";
        }
        EvaluationDetails details = evaluation.details();
        return "<h2>Right and wrong</h2>" + version(evaluation, report.result().version()) + classes(details.classes())
                + roc(details.roc(), evaluation) + numbers(details.numbers()) + labels(details.labels());
    }

    private static String version(HeldOutEvaluation evaluation, long model) {
        return format(
                "<p>Version %,d on %,d held-out samples%s.</p>",
                evaluation.version(),
                evaluation.samples(),
                evaluation.version() == model ? "" : format("; the model is version %,d", model));
    }

    private static String classes(@Nullable ClassDetails classes) {
        if (classes == null) {
            return "";
        }
        return format("<p>Macro F1, the mean F1 of the classes: %.4f.</p>", classes.macroF1())
                + (classes.figures().size() <= ConfusionTable.MOST_CLASSES
                        ? ConfusionTable.write(classes)
                        : WorstTables.write(classes));
    }

    private static String roc(@Nullable RocCurve roc, HeldOutEvaluation evaluation) {
        if (roc == null) {
            return "";
        }
        return roc(second(evaluation.details()), roc, LabelTable.area(evaluation.binary()));
    }

    private static String labels(@Nullable LabelDetails details) {
        if (details == null) {
            return "";
        }
        StringBuilder all = new StringBuilder(LabelTable.write(details));
        for (OneLabel label : details.labels()) {
            if (label.roc() != null) {
                all.append(roc(label.name(), label.roc(), LabelTable.area(label.figures())));
            }
        }
        return all.toString();
    }

    private static String roc(String name, RocCurve roc, String area) {
        List<Point> points = points(roc.falsePositiveRates(), roc.truePositiveRates());
        double found = points.stream()
                .filter(point -> point.x() <= 0.1)
                .mapToDouble(Point::y)
                .max()
                .orElse(0);
        String label = format(
                "ROC curve of %s with an area of %s: while at most 10%% of the other class are taken for it, %.0f%% of it are found",
                name, area, 100 * found);
        return "<h3>ROC curve of " + text(name) + "</h3>"
                + new SquarePlot("false positive rate", "true positive rate", points).line(label)
                + "<p class=\"key\">Area under the curve: " + area + ". Dashed: a guess, with an area of 0.5.</p>";
    }

    /** Returns the name of the class that is looked for. */
    private static String second(@Nullable EvaluationDetails details) {
        ClassDetails classes = details == null ? null : details.classes();
        return classes == null || classes.figures().size() < 2
                ? "the second class"
                : classes.figures().get(1).name();
    }

    private static String numbers(@Nullable NumberPairs pairs) {
        if (pairs == null || pairs.truth().isEmpty() || !isDrawable(pairs)) {
            return "";
        }
        String label =
                format("predicted %s against true %s of %,d samples", pairs.target(), pairs.target(), size(pairs));
        return "<h3>Predicted and true " + text(pairs.target()) + "</h3>"
                + new SquarePlot(
                                "true " + pairs.target(),
                                "predicted " + pairs.target(),
                                points(pairs.truth(), pairs.predicted()))
                        .dots(label)
                + format(
                        "<p class=\"key\">%,d samples, evenly spaced over all. Dashed: a perfect prediction.</p>",
                        size(pairs));
    }

    private static int size(NumberPairs pairs) {
        return pairs.truth().size();
    }

    /** An axis needs a finite length. */
    private static boolean isDrawable(NumberPairs pairs) {
        double most = Math.max(Collections.max(pairs.truth()), Collections.max(pairs.predicted()));
        double least = Math.min(Collections.min(pairs.truth()), Collections.min(pairs.predicted()));
        return Double.isFinite(most - least);
    }

    private static List<Point> points(List<Double> x, List<Double> y) {
        return IntStream.range(0, x.size())
                .mapToObj(i -> new Point(x.get(i), y.get(i)))
                .toList();
    }
}
