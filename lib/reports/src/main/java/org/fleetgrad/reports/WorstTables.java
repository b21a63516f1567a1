package org.fleetgrad.reports;

import static org.fleetgrad.reports.chart.Markup.format;
import static org.fleetgrad.reports.chart.Markup.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.fleetgrad.protocol.messages.ClassDetails;
import org.fleetgrad.protocol.messages.ClassDetails.ClassFigures;

/** Writes the worst of many classes, and the most frequent confusions. */
final class WorstTables {

    private static final int MOST_ROWS = 20;

    private WorstTables() {}

    /** A class that is taken for another. */
    private record Mistake(ClassFigures label, ClassFigures predicted, long count) {}

    static String write(ClassDetails classes) {
        List<ClassFigures> worst = classes.worst(MOST_ROWS);
        List<Mistake> mistakes = mistakes(classes);
        StringBuilder rows = new StringBuilder();
        for (ClassFigures figures : worst) {
            rows.append("<tr><th scope=\"row\">")
                    .append(text(figures.name()))
                    .append(format(
                            "</th><td>%,d</td><td>%s</td><td>%.4f</td><td>%.4f</td></tr>",
                            figures.samples(), ConfusionTable.right(figures), figures.precision(), figures.f1()));
        }
        StringBuilder pairs = new StringBuilder();
        for (Mistake mistake : mistakes) {
            pairs.append("<tr><th scope=\"row\">")
                    .append(text(mistake.label.name()))
                    .append("</th><th>")
                    .append(text(mistake.predicted.name()))
                    .append(format(
                            "</th><td>%,d</td><td>%.2f%%</td></tr>",
                            mistake.count, 100.0 * mistake.count / mistake.label.samples()));
        }
        return table(
                        format(
                                "The %d worst of %d classes",
                                worst.size(), classes.figures().size()),
                        List.of("class", "samples", "right", "precision", "F1"),
                        rows)
                + table(
                        format("The %d most frequent confusions", mistakes.size()),
                        List.of("true", "predicted", "samples", "of the class"),
                        pairs);
    }

    private static String table(String caption, List<String> columns, CharSequence rows) {
        StringBuilder head = new StringBuilder();
        columns.forEach(
                column -> head.append("<th scope=\"col\">").append(column).append("</th>"));
        return "<div class=\"wide\"><table><caption><span>" + caption + "</span></caption><tr>" + head + "</tr>" + rows
                + "</table></div>";
    }

    private static List<Mistake> mistakes(ClassDetails classes) {
        List<Mistake> mistakes = new ArrayList<>();
        List<ClassFigures> figures = classes.figures();
        for (int i = 0; i < figures.size(); i++) {
            for (int j = 0; j < figures.size(); j++) {
                long count = classes.confusion().get(i).get(j);
                if (i != j && count > 0) {
                    mistakes.add(new Mistake(figures.get(i), figures.get(j), count));
                }
            }
        }
        return mistakes.stream()
                .sorted(Comparator.comparingLong(Mistake::count).reversed())
                .limit(MOST_ROWS)
                .toList();
    }
}
