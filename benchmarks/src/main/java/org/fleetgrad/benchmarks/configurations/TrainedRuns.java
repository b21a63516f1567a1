package org.fleetgrad.benchmarks.configurations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The results so far in a file: a first line with the plan, then a line of JSON for each run. A table of hours is measured in
 * pieces, and an aborted run is continued.
 */
final class TrainedRuns {

    private final JsonMapper json = JsonMapper.builder().build();
    private final Path file;
    private final List<Trained> all = new ArrayList<>();

    private TrainedRuns(Path file) {
        this.file = file;
    }

    /** Starts a new file, replacing that of an earlier run. */
    static TrainedRuns begin(Path file, Plan plan) throws IOException {
        TrainedRuns runs = new TrainedRuns(file);
        Files.writeString(file, runs.json.writeValueAsString(plan) + "\n");
        return runs;
    }

    /**
     * Continues the file of an earlier run.
     *
     * @throws IOException if there is none, or it has another plan
     */
    static TrainedRuns goOn(Path file, Plan plan) throws IOException {
        if (!Files.exists(file)) {
            throw new IOException("there is nothing to continue: %s is missing".formatted(file));
        }
        TrainedRuns runs = new TrainedRuns(file);
        List<String> lines = Files.readAllLines(file);
        String wanted = runs.json.writeValueAsString(plan);
        if (lines.isEmpty() || !lines.get(0).equals(wanted)) {
            throw new IOException("%s has another plan: it begins with %s, this run has %s"
                    .formatted(file, lines.isEmpty() ? "nothing" : lines.get(0), wanted));
        }
        StringBuilder whole = new StringBuilder(wanted).append('\n');
        for (String line : lines.subList(1, lines.size())) {
            try {
                runs.all.add(runs.json.readValue(line, Trained.class));
                whole.append(line).append('\n');
            } catch (JacksonException torn) {
                // The run was aborted while it wrote this line, so the configuration is trained again.
            }
        }
        Files.writeString(file, whole);
        return runs;
    }

    void add(Trained trained) throws IOException {
        Files.writeString(file, json.writeValueAsString(trained) + "\n", StandardOpenOption.APPEND);
        all.add(trained);
    }

    boolean has(Configuration configuration, int seed) {
        return of(configuration).stream().anyMatch(trained -> trained.seed() == seed);
    }

    List<Trained> of(Configuration configuration) {
        return all.stream()
                .filter(trained -> trained.configuration().equals(configuration.name()))
                .toList();
    }
}
