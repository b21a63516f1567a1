package org.fleetgrad.load.result;

import java.util.Locale;
import java.util.Optional;
import org.fleetgrad.load.result.LoadRow.AnsweringVersion;

/** One line of CSV for one request. The failure comes last, in quotes, because only it may have commas. */
final class CsvFormat {

    static final String HEAD = "dueMs,phase,client,latencyMs,status,right,total,generation,version,failure";

    private static final int COLUMNS = 10;

    private CsvFormat() {}

    /** Times have three decimals: microseconds. */
    static String line(LoadRow row) {
        return String.format(
                Locale.ROOT,
                "%.3f,%d,%d,%.3f,%d,%d,%d,%s,%s,%s",
                row.dueMs(),
                row.phase(),
                row.client(),
                row.latencyMs(),
                row.status(),
                row.right(),
                row.total(),
                row.version().map(AnsweringVersion::generation).orElse(""),
                row.version().map(version -> Long.toString(version.version())).orElse(""),
                row.isFailed() ? "\"" + row.failure().replace("\"", "\"\"") + "\"" : "");
    }

    /** Reads a line; the message of the exception says what is wrong with one that is none of {@link #line}'s. */
    static LoadRow read(String line) {
        String[] fields = line.split(",", COLUMNS);
        if (fields.length != COLUMNS) {
            throw new IllegalArgumentException(
                    "it has %d columns; there must be %d: %s".formatted(fields.length, COLUMNS, HEAD));
        }
        try {
            return new LoadRow(
                    finite(fields[0]),
                    Integer.parseInt(fields[1]),
                    Integer.parseInt(fields[2]),
                    finite(fields[3]),
                    Integer.parseInt(fields[4]),
                    Integer.parseInt(fields[5]),
                    Integer.parseInt(fields[6]),
                    fields[8].isEmpty()
                            ? Optional.empty()
                            : Optional.of(new AnsweringVersion(fields[7], Long.parseLong(fields[8]))),
                    failure(fields[9]));
        } catch (NumberFormatException malformed) {
            throw new IllegalArgumentException("a column must be a number: " + malformed.getMessage());
        }
    }

    private static double finite(String text) {
        double value = Double.parseDouble(text);
        if (!Double.isFinite(value)) {
            throw new NumberFormatException("'" + text + "'");
        }
        return value;
    }

    private static String failure(String field) {
        if (field.isEmpty()) {
            return "";
        }
        if (field.length() < 3 || !field.startsWith("\"") || !field.endsWith("\"")) {
            throw new IllegalArgumentException("the failure must be in quotes, or empty");
        }
        return field.substring(1, field.length() - 1).replace("\"\"", "\"");
    }
}
