package org.fleetgrad.cli.display;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.fleetgrad.reports.chart.Chart.Point;

/** Draws lines in characters, each with a letter of its own; where several meet stands {@code *}. No line is wider than the terminal. */
public final class TextPlot {

    private static final int HEIGHT = 12;
    private static final int NARROWEST = 30;
    private static final int WIDEST = 160;
    private static final char MEETING = '*';

    private final String title;
    private final int columns;
    private final boolean isShare;

    /**
     * @param columns width of the terminal
     * @param isShare whether the values are shares, which are written as percent
     */
    public TextPlot(String title, int columns, boolean isShare) {
        this.title = title;
        this.columns = Math.min(WIDEST, Math.max(NARROWEST, columns));
        this.isShare = isShare;
    }

    /** Returns the letter of a line, by its place from 0. */
    public static char letter(int line) {
        return (char) ('A' + line);
    }

    /**
     * Draws lines.
     *
     * @param names of the lines
     * @param lines each in the order of x; it may be empty
     */
    public String draw(List<String> names, List<List<Point>> lines) {
        double[] xs = lines.stream().flatMap(List::stream).mapToDouble(Point::x).toArray();
        double[] ys = lines.stream().flatMap(List::stream).mapToDouble(Point::y).toArray();
        if (xs.length == 0) {
            return title + ": no points yet";
        }
        double least = Arrays.stream(ys).min().orElse(0);
        double most = Arrays.stream(ys).max().orElse(1);
        String top = text(most);
        String bottom = text(least);
        int margin = Math.max(top.length(), bottom.length());
        int width = columns - margin - 2;
        double from = Arrays.stream(xs).min().orElse(0);
        double to = Arrays.stream(xs).max().orElse(1);
        char[][] field = new char[HEIGHT][width];
        for (char[] row : field) {
            Arrays.fill(row, ' ');
        }
        for (int i = 0; i < lines.size(); i++) {
            draw(lines.get(i), letter(i), field, new double[] {from, to, least, most});
        }
        return String.join(System.lineSeparator(), labelled(field, top, bottom, margin, from, to, names));
    }

    private static void draw(List<Point> line, char letter, char[][] field, double[] range) {
        int width = field[0].length;
        boolean[] isDrawn = new boolean[width * HEIGHT];
        Point before = null;
        for (Point point : line) {
            int end = place(point.x(), range[0], range[1], width);
            int begin = before == null ? end : place(before.x(), range[0], range[1], width);
            for (int x = begin; x <= end; x++) {
                double share = before == null || end == begin ? 1 : (double) (x - begin) / (end - begin);
                double y = before == null ? point.y() : before.y() + share * (point.y() - before.y());
                int row = HEIGHT - 1 - place(y, range[2], range[3], HEIGHT);
                if (!isDrawn[row * width + x]) {
                    isDrawn[row * width + x] = true;
                    field[row][x] = field[row][x] == ' ' ? letter : MEETING;
                }
            }
            before = point;
        }
    }

    private static int place(double value, double least, double most, int places) {
        double share = most > least ? (value - least) / (most - least) : 0.5;
        return (int) Math.round(Math.min(1, Math.max(0, share)) * (places - 1));
    }

    private List<String> labelled(
            char[][] field, String top, String bottom, int margin, double from, double to, List<String> names) {
        List<String> rows = new ArrayList<>();
        rows.add(TextTable.cut(title, columns));
        for (int row = 0; row < HEIGHT; row++) {
            String label = row == 0 ? top : row == HEIGHT - 1 ? bottom : "";
            rows.add((" ".repeat(margin - label.length()) + label + " |" + new String(field[row])).stripTrailing());
        }
        String begin = String.format(Locale.ROOT, "%,.0f", from);
        String end = String.format(Locale.ROOT, "%,.0f", to);
        int between = columns - margin - 2 - begin.length() - end.length();
        rows.add(" ".repeat(margin + 2) + begin + " ".repeat(Math.max(1, between)) + end);
        for (int i = 0; i < names.size(); i++) {
            rows.add(TextTable.cut("%c %s".formatted(letter(i), names.get(i)), columns));
        }
        return rows;
    }

    private String text(double value) {
        return isShare
                ? String.format(Locale.ROOT, "%.1f%%", 100 * value)
                : String.format(Locale.ROOT, Math.abs(value) >= 1e5 ? "%.2e" : "%.4g", value);
    }
}
