package org.fleetgrad.benchmarks.serving.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.fleetgrad.benchmarks.page.MarkedPart;
import org.fleetgrad.benchmarks.serving.places.Places;

/** The measured part of docs/serving-experiments.md. */
public final class ServingPage {

    private static final MarkedPart PART = new MarkedPart(
            "<!-- serving: begin; ./fleetgrad bench serving --write docs/serving-experiments.md writes this -->",
            "<!-- serving: end -->");

    private ServingPage() {}

    /**
     * Replaces the measured part of a page, and writes the pictures beside it.
     *
     * @param head what was measured, where and when, in Markdown
     */
    public static void write(ServingResults results, String head, Path page) throws IOException {
        Path file = page.toAbsolutePath();
        String prefix = file.getFileName().toString().replaceFirst("\\.md$", "") + "-";
        ServingFiles.pictures(results, Objects.requireNonNull(file.getParent()), prefix);
        PART.replace(file, head + "\n" + markdown(results, prefix));
    }

    /** Returns the tables, with the pictures at {@code prefix}. */
    public static String markdown(ServingResults results, String prefix) {
        StringBuilder text = new StringBuilder();
        results.places()
                .ifPresent(places -> text.append("### Places and policies\n\n")
                        .append(picture("Training speed, p50 and p99 by place", prefix + "places"))
                        .append(ServingTables.places(places))
                        .append('\n')
                        .append(newest(places))
                        .append(picture("Right answers by policy", prefix + "policies"))
                        .append(votes(places)));
        if (!results.gaps().isEmpty()) {
            text.append("### Disagreement between workers\n\n")
                    .append(picture("Disagreement by gap and interval", prefix + "disagreement"))
                    .append(ServingTables.gaps(results.gaps()))
                    .append('\n');
        }
        if (!results.torn().isEmpty()) {
            text.append("### Torn responses\n\n").append(ServingTables.torn(results.torn()));
        }
        return text.toString().stripTrailing() + "\n";
    }

    private static String newest(Places places) {
        return "The newest version of one worker's training, after each piece, has %s of the answers right.\n\n"
                .formatted(places.newest().stream()
                        .map(accuracy -> String.format(Locale.ROOT, "%.2f%%", 100 * accuracy))
                        .collect(Collectors.joining(", ")));
    }

    private static String votes(Places places) {
        return places.votes().isEmpty()
                ? ""
                : "How the two workers of the ensemble voted, asked beside the load:\n\n"
                        + ServingTables.votes(places.votes())
                        + "\n";
    }

    private static String picture(String alternative, String name) {
        return "![%s](%s.svg)\n\n".formatted(alternative, name);
    }
}
