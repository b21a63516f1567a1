package org.fleetgrad.benchmarks.modes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Results as they come, a line of JSON each after a line that says of which plan, so that a run can be continued. */
final class PartialResults {

    private final JsonMapper json = JsonMapper.builder().build();
    private final Path file;
    private final List<Measured> all = new ArrayList<>();

    private PartialResults(Path file) {
        this.file = file;
    }

    /** Begins anew, over what an earlier run left. */
    static PartialResults begin(Path file, Plan plan) throws IOException {
        PartialResults results = new PartialResults(file);
        Files.writeString(file, results.json.writeValueAsString(plan) + "\n");
        return results;
    }

    /**
     * Goes on with what an earlier run left.
     *
     * @throws IOException where there is nothing, or it is of another plan
     */
    static PartialResults goOn(Path file, Plan plan) throws IOException {
        if (!Files.exists(file)) {
            throw new IOException("there is nothing to continue: %s is missing".formatted(file));
        }
        PartialResults results = new PartialResults(file);
        List<String> lines = Files.readAllLines(file);
        String wanted = results.json.writeValueAsString(plan);
        if (lines.isEmpty() || !lines.get(0).equals(wanted)) {
            throw new IOException("%s is of another plan: it begins with %s, this one is %s"
                    .formatted(file, lines.isEmpty() ? "nothing" : lines.get(0), wanted));
        }
        StringBuilder whole = new StringBuilder(wanted).append('\n');
        for (String line : lines.subList(1, lines.size())) {
            try {
                results.all.add(results.json.readValue(line, Measured.class));
                whole.append(line).append('\n');
            } catch (JacksonException torn) {
                // The run was aborted while it wrote this line: that cell is measured again.
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
