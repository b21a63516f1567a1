package org.fleetgrad.load.result;

import java.util.Locale;

/** Writes a result for the user. */
public final class LoadTable {

    private static final String HEAD =
            "  PHASE  CLIENTS   REQUESTS   FAILED  PER SECOND    P50 MS    P90 MS    P99 MS    MAX MS  ACCURACY  VERSIONS";

    private LoadTable() {}

    /** Returns a table with a line for each phase, then one for all of them, then the failures by reason. */
    public static String of(LoadResult result) {
        StringBuilder table = new StringBuilder(HEAD);
        for (int i = 0; i < result.phases().size(); i++) {
            table.append(System.lineSeparator())
                    .append(line(Integer.toString(i + 1), result.phases().get(i)));
        }
        if (result.phases().size() != 1) {
            table.append(System.lineSeparator()).append(line("all", result.all()));
        }
        if (result.all().differing() > 0) {
            table.append(System.lineSeparator())
                    .append(String.format(
                            Locale.ROOT,
                            "  differing %,d of %,d: a version gave an image another class than before",
                            result.all().differing(),
                            result.all().repeated()));
        }
        result.all()
                .failures()
                .forEach((reason, count) -> table.append(System.lineSeparator())
                        .append(String.format(Locale.ROOT, "  failed %,d: %s", count, reason)));
        return table.toString();
    }

    private static String line(String phase, LoadFigures figures) {
        boolean isAnswered = figures.requests() > figures.failed();
        return String.format(
                Locale.ROOT,
                "%7s %8d %,10d %,8d %,11.1f %9s %9s %9s %9s %9s %,9d",
                phase,
                figures.clients(),
                figures.requests(),
                figures.failed(),
                figures.perSecond(),
                ms(isAnswered, figures.p50Ms()),
                ms(isAnswered, figures.p90Ms()),
                ms(isAnswered, figures.p99Ms()),
                ms(isAnswered, figures.maxMs()),
                figures.accuracy().isPresent()
                        ? String.format(
                                Locale.ROOT, "%.2f%%", 100 * figures.accuracy().getAsDouble())
                        : "-",
                figures.versionsSeen());
    }

    private static String ms(boolean isAnswered, double ms) {
        return isAnswered ? String.format(Locale.ROOT, "%,.2f", ms) : "-";
    }
}
