package org.fleetgrad.files.text;

/** Writes texts as cells of a CSV file (RFC 4180). */
public final class CsvCell {

    private CsvCell() {}

    /** Returns the text as it is, or in quotes if it has a comma, a quote or the end of a line. */
    public static String of(String text) {
        boolean isPlain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
