package org.fleetgrad.benchmarks.serving.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.reports.chart.Chart;
import org.fleetgrad.reports.chart.ChartFiles;
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
            put(folder.resolve("places.csv"), placesCsv(results));
        }
        if (!results.gaps().isEmpty()) {
            put(folder.resolve("disagreement.csv"), gapsCsv(results));
        }
        if (!results.torn().isEmpty()) {
            put(folder.resolve("torn.csv"), tornCsv(results));
        }
        pictures(results, folder, "");
    }

    /** Writes the pictures, as {@code prefix + name + ".svg"}. */
    static void pictures(ServingResults results, Path folder, String prefix) throws IOException {
        for (Map.Entry<String, Chart> picture : ServingPictures.of(results).entrySet()) {
            put(folder.resolve(prefix + picture.getKey() + ".svg"), ChartFiles.svg(picture.getValue()));
        }
    }

    private static String placesCsv(ServingResults results) {
        return csv(
                "place,policy,clients,samplesPerSecond,alone,kept,answersPerSecond,p50Ms,p99Ms,requests,failed,accuracy,versions,isSameTraining",
                results.places().orElseThrow().figures(),
                figure -> String.format(
                        Locale.ROOT,
                        "%s,%s,%d,%.1f,%.1f,%.4f,%.1f,%.3f,%.3f,%d,%d,%.5f,%d,%s",
                        figure.place(),
                        figure.policy(),
                        figure.clients(),
                        figure.samplesPerSecond(),
                        figure.alone(),
                        figure.kept(),
                        figure.answersPerSecond(),
                        figure.p50Ms(),
                        figure.p99Ms(),
                        figure.requests(),
                        figure.failed(),
                        figure.accuracy(),
                        figure.versions(),
                        figure.isSameTraining()));
    }

    private static String gapsCsv(ServingResults results) {
        return csv(
                "interval,gap,samplesApart,pairs,mean,most,accuracy",
                results.gaps(),
                gap -> String.format(
                        Locale.ROOT,
                        "%d,%d,%d,%d,%.6f,%.6f,%.5f",
                        gap.interval(),
                        gap.gap(),
                        gap.samplesApart(),
                        gap.pairs(),
                        gap.mean(),
                        gap.most(),
                        gap.accuracy()));
    }

    private static String tornCsv(ServingResults results) {
        return csv(
                "network,images,stepsPerSecond,answers,overlapped,torn,ofNoClass",
                results.torn(),
                figure -> String.format(
                        Locale.ROOT,
                        "%s,%d,%.1f,%d,%d,%d,%d",
                        figure.network(),
                        figure.images(),
                        figure.stepsPerSecond(),
                        figure.answers(),
                        figure.overlapped(),
                        figure.torn(),
                        figure.ofNoClass()));
    }

    private static <T> String csv(String head, List<T> figures, Function<T, String> line) {
        return figures.stream().map(line).collect(Collectors.joining("\n", head + "\n", "\n"));
    }

    private static void put(Path file, String text) throws IOException {
        AtomicFile.write(file, text.getBytes(StandardCharsets.UTF_8));
    }
}
