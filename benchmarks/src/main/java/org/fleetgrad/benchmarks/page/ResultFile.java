package org.fleetgrad.benchmarks.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The results so far of a long measurement in a file, so that an aborted run can be continued: a first line with the
 * plan, then a line of JSON for each result. One thread at a time.
 */
public final class ResultFile<T extends ResultFile.Entry> {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    public interface Entry {
        String row();

        /** Returns what distinguishes the runs of a row: the seed, or a number. */
        int run();

        /** Returns the progress line's part about this run. */
        String outcome();
    }

    public record Run<T>(String row, int run, Callable<T> measurement) {}

    private final Path file;
    private final List<T> all = new ArrayList<>();

    private ResultFile(Path file) {
        this.file = file;
    }

    /** Starts a new file that replaces an earlier one, or continues that. */
    public static <T extends Entry> ResultFile<T> open(boolean isContinued, Path file, Object plan, Class<T> type)
            throws IOException {
        ResultFile<T> results = new ResultFile<>(file);
        String first = JSON.writeValueAsString(plan);
        StringBuilder whole = new StringBuilder(first).append('\n');
        for (String line : isContinued ? linesAfter(first, file) : List.<String>of()) {
            try {
                results.all.add(JSON.readValue(line, type));
                whole.append(line).append('\n');
            } catch (JacksonException torn) {
                // The run was aborted while it wrote this line: its result is measured again.
            }
        }
        Files.writeString(file, whole);
        return results;
    }

    private static List<String> linesAfter(String plan, Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new IOException("there is nothing to continue: %s is missing".formatted(file));
        }
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty() || !lines.get(0).equals(plan)) {
            throw new IOException("%s has another plan: it begins with %s, this run has %s"
                    .formatted(file, lines.isEmpty() ? "nothing" : lines.get(0), plan));
        }
        return lines.subList(1, lines.size());
    }

    /** Makes the runs that have no result yet, and prints a line of progress for each. */
    public void measure(List<Run<T>> runs) throws Exception {
        List<Run<T>> left =
                runs.stream().filter(run -> !has(run.row(), run.run())).toList();
        long begin = System.nanoTime();
        for (int i = 0; i < left.size(); i++) {
            T result = left.get(i).measurement().call();
            add(result);
            double minutes = (System.nanoTime() - begin) / 60e9 / (i + 1) * (left.size() - i - 1);
            System.err.printf(
                    Locale.ROOT, "%d/%d %s; about %.0f min left%n", i + 1, left.size(), result.outcome(), minutes);
        }
    }

    public void add(T result) throws IOException {
        Files.writeString(file, JSON.writeValueAsString(result) + "\n", StandardOpenOption.APPEND);
        all.add(result);
    }

    public boolean has(String row, int run) {
        return of(row).stream().anyMatch(result -> result.run() == run);
    }

    /** Returns the results of a row, the oldest first. */
    public List<T> of(String row) {
        return all.stream().filter(result -> result.row().equals(row)).toList();
    }

    /** Returns a table in Markdown, with a line for each of these rows that has results. */
    public <R> String table(String head, List<R> rows, Function<R, String> name, BiFunction<R, List<T>, String> line) {
        return rows.stream()
                .filter(row -> !of(name.apply(row)).isEmpty())
                .map(row -> line.apply(row, of(name.apply(row))) + "\n")
                .collect(Collectors.joining("", head, ""));
    }

    public void delete() throws IOException {
        Files.deleteIfExists(file);
    }
}
