package org.fleetgrad.benchmarks.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The results so far of a long measurement in a file, so that an aborted run can be continued: a first line with the plan, then a line
 * of JSON for each result. One thread at a time.
 *
 * @param <T> of a result; Jackson writes and reads it
 */
public final class ResultFile<T extends ResultFile.Entry> {

    /** The result of one run of a row of the table. */
    public interface Entry {
        /** Returns the row's name. */
        String row();

        /** Returns what distinguishes the runs of a row: the seed, or a number. */
        int run();
    }

    private final JsonMapper json = JsonMapper.builder().build();
    private final Path file;
    private final List<T> all = new ArrayList<>();

    private ResultFile(Path file) {
        this.file = file;
    }

    /** Starts a new file that replaces an earlier one, or continues that. */
    public static <T extends Entry> ResultFile<T> open(boolean isContinued, Path file, Object plan, Class<T> type)
            throws IOException {
        return isContinued ? goOn(file, plan, type) : begin(file, plan);
    }

    private static <T extends Entry> ResultFile<T> begin(Path file, Object plan) throws IOException {
        ResultFile<T> results = new ResultFile<>(file);
        Files.writeString(file, results.json.writeValueAsString(plan) + "\n");
        return results;
    }

    /** A last line that is torn is dropped, and its result is measured again. */
    private static <T extends Entry> ResultFile<T> goOn(Path file, Object plan, Class<T> type) throws IOException {
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

    /** Returns whether a run of a row has a result. */
    public boolean has(String row, int run) {
        return of(row).stream().anyMatch(result -> result.run() == run);
    }

    /** Returns the results of a row, the oldest first. */
    public List<T> of(String row) {
        return all.stream().filter(result -> result.row().equals(row)).toList();
    }

    /** Returns a table in Markdown, with a line for each of these rows that has results. */
    public <R> String table(String head, List<R> rows, Function<R, String> name, BiFunction<R, List<T>, String> line) {
        StringBuilder table = new StringBuilder(head);
        for (R row : rows) {
            List<T> results = of(name.apply(row));
            if (!results.isEmpty()) {
                table.append(line.apply(row, results)).append('\n');
            }
        }
        return table.toString();
    }

    /** Estimates the minutes that the other runs take, if {@code done} of them took {@code nanos}. */
    public static double minutesLeft(long nanos, int done, int all) {
        return nanos / 60e9 / done * (all - done);
    }

    /** Deletes the file. */
    public void delete() throws IOException {
        Files.deleteIfExists(file);
    }
}
