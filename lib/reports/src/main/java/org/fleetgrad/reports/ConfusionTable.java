package org.fleetgrad.reports;

import static org.fleetgrad.reports.chart.Markup.format;
import static org.fleetgrad.reports.chart.Markup.text;

import java.util.List;
import org.fleetgrad.protocol.messages.ClassDetails;
import org.fleetgrad.protocol.messages.ClassDetails.ClassFigures;

/**
 * Writes a confusion matrix as a table that is coloured like a heat map, with the figures of each class in its row. The share that is
 * right comes first: a narrow screen shows it without scrolling.
 */
final class ConfusionTable {

    /** A matrix of more classes is not readable. */
    static final int MOST_CLASSES = 20;

    /** The text must be readable on the strongest colour. */
    private static final double STRONGEST = 60;

    private ConfusionTable() {}

    static String write(ClassDetails classes) {
        StringBuilder rows = new StringBuilder("<tr><th scope=\"col\">true</th><th scope=\"col\">right</th>");
        classes.figures()
                .forEach(figure -> rows.append("<th scope=\"col\" class=\"upright\"><span>")
                        .append(text(figure.name()))
                        .append("</span></th>"));
        rows.append("<th scope=\"col\">samples</th>")
                .append("<th scope=\"col\">precision</th><th scope=\"col\">F1</th></tr>");
        for (int i = 0; i < classes.figures().size(); i++) {
            rows.append(row(i, classes.figures().get(i), classes.confusion().get(i)));
        }
        return "<div class=\"wide\"><table class=\"confusion\"><caption><span>Rows: the true class, and the share of it that is"
                + " right. Columns: the predicted class, then figures of the row's class.</span></caption>" + rows
                + "</table></div>"
                + "<p class=\"key\">The stronger the colour, the larger the share of the row:"
                + " <b class=\"held-out\">right</b>, <b class=\"loss\">wrong</b>.</p>";
    }

    private static String row(int label, ClassFigures figures, List<Long> counts) {
        StringBuilder row = new StringBuilder("<tr><th scope=\"row\">")
                .append(text(figures.name()))
                .append("</th><td>")
                .append(right(figures))
                .append("</td>");
        for (int i = 0; i < counts.size(); i++) {
            row.append(cell(counts.get(i), figures.samples(), i == label));
        }
        return row.append(format(
                        "<td>%,d</td><td>%.4f</td><td>%.4f</td></tr>",
                        figures.samples(), figures.precision(), figures.f1()))
                .toString();
    }

    private static String cell(long count, long samples, boolean isRight) {
        if (count == 0) {
            return "<td class=\"none\">0</td>";
        }
        // By the root of the share: of a good model, all wrong shares are small.
        return format(
                "<td class=\"%s\" style=\"--share:%.0f%%\">%,d</td>",
                isRight ? "right" : "wrong", STRONGEST * Math.sqrt((double) count / samples), count);
    }

    /** Returns the share of a class that is right; a dash if there are no samples of it. */
    static String right(ClassFigures figures) {
        return figures.samples() == 0 ? "–" : format("%.2f%%", 100 * figures.recall());
    }
}
