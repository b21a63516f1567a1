package org.fleetgrad.benchmarks.serving.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.reports.chart.Chart;
import org.fleetgrad.reports.chart.ChartFiles;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The results in files for programs: CSV, JSON, and the pictures. */
public final class ServingFiles {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private ServingFiles() {}

    /** Writes {@code results.json}, a CSV file for each experiment that was made, and the pictures. */
    public static void write(ServingResults results, Path folder) throws IOException {
        Files.createDirectories(folder);
        put(
                folder.resolve("results.json"),
                JSON.writerWithDefaultPrettyPrinter().writeValueAsString(results) + "\n");
        if (results.places().isPresent()) {
            put(folder.resolve("places.csv"), csv(results.places().orElseThrow().figures()));
        }
        if (!results.gaps().isEmpty()) {
            put(folder.resolve("disagreement.csv"), csv(results.gaps()));
        }
        if (!results.torn().isEmpty()) {
            put(folder.resolve("torn.csv"), csv(results.torn()));
        }
        pictures(results, folder, "");
    }

    /** Writes the pictures, as {@code prefix + name + ".svg"}. */
    static void pictures(ServingResults results, Path folder, String prefix) throws IOException {
        for (Map.Entry<String, Chart> picture : ServingPictures.of(results).entrySet()) {
            put(folder.resolve(prefix + picture.getKey() + ".svg"), ChartFiles.svg(picture.getValue()));
        }
    }

    /** A line for each figure; the columns are the properties that the JSON has. */
    private static String csv(List<?> figures) {
        StringBuilder lines = new StringBuilder();
        for (Object figure : figures) {
            JsonNode json = JSON.valueToTree(figure);
            if (lines.isEmpty()) {
                lines.append(String.join(",", json.propertyNames())).append('\n');
            }
            lines.append(json.values().stream().map(JsonNode::asString).collect(Collectors.joining(",")))
                    .append('\n');
        }
        return lines.toString();
    }

    private static void put(Path file, String text) throws IOException {
        AtomicFile.write(file, text.getBytes(StandardCharsets.UTF_8));
    }
}
