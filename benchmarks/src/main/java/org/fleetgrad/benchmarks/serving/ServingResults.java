package org.fleetgrad.benchmarks.serving;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.fleetgrad.benchmarks.page.MarkedPart;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.reports.chart.Chart;
import org.fleetgrad.reports.chart.ChartFiles;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The results of the experiments that were made; the others are empty. */
record ServingResults(Optional<Places> places, List<GapExperiment.Figure> gaps, List<TornExperiment.Figure> torn) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final MarkedPart PART = new MarkedPart(
            "<!-- serving: begin; ./fleetgrad bench serving --write docs/serving-experiments.md writes this -->",
            "<!-- serving: end -->");

    /** Writes {@code results.json}, a CSV file for each experiment that was made, and the pictures. */
    void writeFiles(Path folder) throws IOException {
        Files.createDirectories(folder);
        put(
                folder.resolve("results.json"),
                JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n");
        putCsv(folder.resolve("places.csv"), places.map(Places::figures).orElse(List.of()));
        putCsv(folder.resolve("disagreement.csv"), gaps);
        putCsv(folder.resolve("torn.csv"), torn);
        writePictures(folder, "");
    }

    /** Replaces the measured part of a page, after the head, and writes the pictures beside it. */
    void writePage(String head, Path page) throws IOException {
        Path file = page.toAbsolutePath();
        String prefix = file.getFileName().toString().replaceFirst("\\.md$", "") + "-";
        writePictures(Objects.requireNonNull(file.getParent()), prefix);
        PART.replace(file, head + "\n" + markdown(prefix));
    }

    private void writePictures(Path folder, String prefix) throws IOException {
        for (Map.Entry<String, Chart> picture : ServingPictures.of(this).entrySet()) {
            put(folder.resolve(prefix + picture.getKey() + ".svg"), ChartFiles.svg(picture.getValue()));
        }
    }

    /** Writes a line for each figure; the columns are the properties that the JSON has. */
    private static void putCsv(Path file, List<?> figures) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (Object figure : figures) {
            JsonNode json = JSON.valueToTree(figure);
            if (lines.isEmpty()) {
                lines.append(String.join(",", json.propertyNames())).append('\n');
            }
            lines.append(json.values().stream().map(JsonNode::asString).collect(Collectors.joining(",")))
                    .append('\n');
        }
        if (!figures.isEmpty()) {
            put(file, lines.toString());
        }
    }

    private static void put(Path file, String text) throws IOException {
        AtomicFile.write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the tables, with the pictures at {@code prefix}. */
    String markdown(String prefix) {
        StringBuilder text = new StringBuilder();
        places.ifPresent(found -> {
            text.append("### Places and policies\n\n");
            text.append(picture("Training speed, p50 and p99 by place", prefix + "places"));
            text.append(ServingTables.places(found)).append('\n');
            text.append(
                    "The newest version of one worker's training, after each piece, has %s of the answers right.\n\n"
                            .formatted(found.newest().stream()
                                    .map(accuracy -> String.format(Locale.ROOT, "%.2f%%", 100 * accuracy))
                                    .collect(Collectors.joining(", "))));
            text.append(picture("Right answers by policy", prefix + "policies"));
            if (!found.votes().isEmpty()) {
                text.append("How the two workers of the ensemble voted, asked beside the load:\n\n");
                text.append(ServingTables.votes(found.votes())).append('\n');
            }
        });
        if (!gaps.isEmpty()) {
            text.append("### Disagreement between workers\n\n");
            text.append(picture("Disagreement by gap and interval", prefix + "disagreement"));
            text.append(ServingTables.gaps(gaps)).append('\n');
        }
        if (!torn.isEmpty()) {
            text.append("### Torn responses\n\n").append(ServingTables.torn(torn));
        }
        return text.toString().stripTrailing() + "\n";
    }

    private static String picture(String alternative, String name) {
        return "![%s](%s.svg)\n\n".formatted(alternative, name);
    }
}
