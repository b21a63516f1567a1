package org.fleetgrad.benchmarks.modes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The results so far: a first line with the plan, then a line of JSON for each result, so that an aborted run can be
 * continued.
 */
final class PartialResults {

    private final JsonMapper json = JsonMapper.builder().build();
    private final Path file;
    private final List<Measured> all = new ArrayList<>();

    private PartialResults(Path file) {
        this.file = file;
    }

    /** Starts a new file, replacing that of an earlier run. */
    static PartialResults begin(Path file, Plan plan) throws IOException {
        PartialResults results = new PartialResults(file);
        Files.writeString(file, results.json.writeValueAsString(plan) + "\n");
        return results;
    }

    /**
     * Continues the file of an earlier run.
     *
     * @throws IOException if there is none, or it has another plan
     */
    static PartialResults goOn(Path file, Plan plan) throws IOException {
        if (!Files.exists(file)) {
            throw new IOException("there is nothing to continue: %s is missing".formatted(file));
        }
        PartialResults results = new PartialResults(file);
        List<String> lines = Files.readAllLines(file);
        String wanted = results.json.writeValueAsString(plan);
        if (lines.isEmpty() || !lines.get(0).equals(wanted)) {
            throw new IOException("%s has another plan: it begins with %s, this run has %s"
                    .formatted(file, lines.isEmpty() ? "nothing" : lines.get(0), wanted));
        }
        StringBuilder whole = new StringBuilder(wanted).append('\n');
        for (String line : lines.subList(1, lines.size())) {
            try {
                results.all.add(results.json.readValue(line, Measured.class));
                whole.append(line).append('\n');
            } catch (JacksonException torn) {
                // The run was aborted while it wrote this line, so the cell is measured again.
            }
        }
        Files.writeString(file, whole);
        return results;
    }

    void add(Measured measured) throws IOException {
        Files.writeString(file, json.writeValueAsString(measured) + "\n", StandardOpenOption.APPEND);
        all.add(measured);
    }

    boolean has(Cell cell, int repeat) {
        return of(cell).stream().anyMatch(measured -> measured.repeat() == repeat);
    }

    List<Measured> of(Cell cell) {
        return all.stream()
                .filter(measured -> measured.cell().equals(cell.name()))
                .toList();
    }

    void delete() throws IOException {
        Files.deleteIfExists(file);
    }
}
