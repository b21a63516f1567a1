package org.fleetgrad.benchmarks.partial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The results so far in a file: a first line with the plan, then a line of JSON for each result. One thread at a time.
 *
 * @param <T> of a result; Jackson writes and reads it
 */
public final class ResultFile<T> {

    private final JsonMapper json = JsonMapper.builder().build();
    private final Path file;
    private final List<T> all = new ArrayList<>();

    private ResultFile(Path file) {
        this.file = file;
    }

    /** Starts a new file, replacing that of an earlier run. */
    public static <T> ResultFile<T> begin(Path file, Object plan) throws IOException {
        ResultFile<T> results = new ResultFile<>(file);
        Files.writeString(file, results.json.writeValueAsString(plan) + "\n");
        return results;
    }

    /**
     * Continues the file of an earlier run. A last line that is torn is dropped, and its result is measured again.
     *
     * @throws IOException if there is no such file, or it has another plan
     */
    public static <T> ResultFile<T> goOn(Path file, Object plan, Class<T> type) throws IOException {
        if (!Files.exists(file)) {
            throw new IOException("there is nothing to continue: %s is missing".formatted(file));
        }
        ResultFile<T> results = new ResultFile<>(file);
        List<String> lines = Files.readAllLines(file);
        String wanted = results.json.writeValueAsString(plan);
        if (lines.isEmpty() || !lines.get(0).equals(wanted)) {
            throw new IOException("%s has another plan: it begins with %s, this run has %s"
                    .formatted(file, lines.isEmpty() ? "nothing" : lines.get(0), wanted));
        }
        StringBuilder whole = new StringBuilder(wanted).append('\n');
        for (String line : lines.subList(1, lines.size())) {
            try {
                results.all.add(results.json.readValue(line, type));
                whole.append(line).append('\n');
            } catch (JacksonException torn) {
                // The run was aborted while it wrote this line.
            }
        }
        Files.writeString(file, whole);
        return results;
    }

    /** Keeps a result. */
    public void add(T result) throws IOException {
        Files.writeString(file, json.writeValueAsString(result) + "\n", StandardOpenOption.APPEND);
        all.add(result);
    }

    /** Returns all results, the oldest first. */
    public List<T> all() {
        return List.copyOf(all);
    }

    /** Deletes the file. */
    public void delete() throws IOException {
        Files.deleteIfExists(file);
    }
}
