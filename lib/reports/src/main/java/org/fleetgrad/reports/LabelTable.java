package org.fleetgrad.reports;

import static org.fleetgrad.reports.chart.Markup.format;
import static org.fleetgrad.reports.chart.Markup.text;

import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.LabelDetails;
import org.fleetgrad.protocol.messages.LabelDetails.OneLabel;
import org.jspecify.annotations.Nullable;

/** Writes how well each of several labels is found. */
final class LabelTable {

    private static final String HEAD =
            "<tr><th scope=\"col\">label</th><th scope=\"col\">samples</th><th scope=\"col\">precision</th>"
                    + "<th scope=\"col\">recall</th><th scope=\"col\">F1</th><th scope=\"col\">area</th></tr>";

    private LabelTable() {}

    static String write(LabelDetails details) {
        StringBuilder rows = new StringBuilder();
        for (OneLabel label : details.labels()) {
            BinaryFigures figures = label.figures();
            rows.append("<tr><th scope=\"row\">")
                    .append(text(label.name()))
                    .append(format(
                            "</th><td>%,d</td><td>%.4f</td><td>%.4f</td><td>%.4f</td><td>%s</td></tr>",
                            label.samples(), figures.precision(), figures.recall(), figures.f1(), area(figures)));
        }
        String caption = details.labels().size() == details.total()
                ? format("The %d labels: the samples that have each, and how well it is found.", details.total())
                : format(
                        "The %d of %d labels with the smallest F1.",
                        details.labels().size(), details.total());
        boolean isOneSided =
                details.labels().stream().anyMatch(label -> label.figures().auc() == null);
        return "<div class=\"wide\"><table><caption><span>" + caption + "</span></caption>" + HEAD + rows
                + "</table></div><p class=\"key\">Area: that under the ROC curve."
                + (isOneSided
                        ? " A label that all held-out samples have, or none, has no area, and does not count in the mean."
                        : "")
                + "</p>";
    }

    /** Returns the area under a ROC curve; a dash if there is none. */
    static String area(@Nullable BinaryFigures figures) {
        return figures == null || figures.auc() == null ? "–" : format("%.4f", figures.auc());
    }
}
