package org.fleetgrad.benchmarks.configurations;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.benchmarks.process.Programs;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs {@code fleetgrad pipeline} as a user does, and reads the last line of its stdout. */
record PipelineProcess(Programs programs, Plan plan) {

    private static final int MOST_OF_A_MESSAGE = 160;

    /** What all runs share; results of different plans cannot be compared. 0 steps are no limit. */
    record Plan(int epochs, long maxSteps, String places, String cut) {}

    /** Trains once; a run that fails is a result with the reason. */
    Trained train(Configuration configuration, Path data, int seed, Measure measure)
            throws IOException, InterruptedException {
        Path run = Files.createTempDirectory(programs.folder(), configuration.recipeName());
        Process process = programs.startFleetgrad("pipeline", words(configuration, data, seed, run));
        String text;
        try (var stdout = process.getInputStream()) {
            text = new String(stdout.readAllBytes(), StandardCharsets.UTF_8);
        }
        int code = process.waitFor();
        return answer(configuration.name(), seed, code, text, code == 0 ? "" : lastError(), measure);
    }

    /** Returns the last line of the newest log: a run says there why it failed. */
    private String lastError() throws IOException {
        try (Stream<Path> files = Files.list(programs.folder())) {
            Path newest = files.filter(file -> file.toString().endsWith(".log"))
                    .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
                    .orElseThrow();
            return Files.readString(newest).lines().reduce("", (earlier, last) -> last);
        }
    }

    private List<String> words(Configuration configuration, Path data, int seed, Path run) {
        List<String> words = new ArrayList<>(List.of(
                "pipeline", "@" + Programs.HOME.resolve(Configuration.RECIPES).resolve(configuration.recipe()),
                "--data", data.toString(),
                "--stages", Integer.toString(configuration.stages()),
                "--places", plan.places(),
                "--cut", plan.cut(),
                "--epochs", Integer.toString(plan.epochs()),
                "--seed", Integer.toString(seed),
                "--out", run.toString()));
        words.add("--json");
        if (!configuration.network().equals(Configuration.OF_RECIPE)) {
            words.addAll(List.of("--network", configuration.network()));
        }
        if (plan.maxSteps() > 0) {
            words.addAll(List.of("--max-steps", Long.toString(plan.maxSteps())));
        }
        return words;
    }

    /** Returns what a run said; the last line of stdout is the result, if it ended well. */
    static Trained answer(String name, int seed, int code, String stdout, String error, Measure measure) {
        List<String> lines = stdout.strip().lines().toList();
        String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        try {
            JsonNode json = JsonMapper.builder().build().readTree(last);
            if (code == 0 && json.path(measure.member()).isNumber()) {
                List<Double> staleness = numbers(json.path("staleness"));
                double peakMiB = numbers(json.path("peakMiB")).stream()
                        .mapToDouble(each -> each)
                        .max()
                        .orElse(0);
                return new Trained(
                        name,
                        seed,
                        "",
                        measure,
                        json.path(measure.member()).asDouble(),
                        json.path("samplesPerSecond").asDouble(),
                        json.path("bubble").asDouble(-1),
                        peakMiB,
                        staleness);
            }
        } catch (JacksonException noJson) {
            // The exit code and the last line tell why.
        }
        String why = error.isEmpty() ? last : error;
        String message = why.length() > MOST_OF_A_MESSAGE ? why.substring(0, MOST_OF_A_MESSAGE) : why;
        return Trained.failed(name, seed, measure, "exit code %d: %s".formatted(code, message));
    }

    private static List<Double> numbers(JsonNode array) {
        List<Double> numbers = new ArrayList<>();
        array.forEach(each -> numbers.add(each.asDouble()));
        return numbers;
    }
}
