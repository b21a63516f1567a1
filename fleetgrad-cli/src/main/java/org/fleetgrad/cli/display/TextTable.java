package org.fleetgrad.cli.display;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A table of text, one line for each row; a column is as wide as its widest cell. */
public final class TextTable {

    private final int columns;
    private final Set<String> texts;
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * @param head  the first row
     * @param texts the columns that are aligned left, by their heads; numbers are aligned right, so that they can be compared
     */
    public TextTable(List<String> head, Set<String> texts) {
        this.columns = head.size();
        this.texts = Set.copyOf(texts);
        rows.add(List.copyOf(head));
    }

    /** Cuts a text to a number of characters, of which the last one then says so. */
    public static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
    }

    /** Adds a row; in one with fewer cells than the table has columns, all but the first are as long as they are. */
    public void add(List<String> row) {
        rows.add(List.copyOf(row));
    }

    /** Returns the lines. */
    public String text() {
        int[] widths = new int[columns];
        rows.stream().filter(row -> row.size() == columns).forEach(row -> {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        return String.join(
                System.lineSeparator(),
                rows.stream().map(row -> line(row, widths)).toList());
    }

    private String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            boolean isPadded = row.size() == columns || i == 0;
            String padding =
                    isPadded ? " ".repeat(Math.max(0, widths[i] - row.get(i).length())) : "";
            boolean isText = texts.contains(rows.get(0).get(i));
            line.append(i == 0 ? "" : "  ").append(isText ? row.get(i) + padding : padding + row.get(i));
        }
        return line.toString().stripTrailing();
    }
}
