package org.fleetgrad.load.result;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Joins the CSV files of several hosts into one result. It reads them row by row, twice: first for the earliest time, then
 * for the rows. The hosts' clocks must agree to the time resolution that is wanted.
 *
 * @param files one for each host
 */
public record CsvJoin(List<Path> files) {

    /** More clients than a host can have: the clients of the second file are numbered from here, and so on. */
    private static final int CLIENTS_A_FILE = 10_000;

    public CsvJoin {
        files = List.copyOf(files);
    }

    /** Returns when the earliest request was due, in ms since 1970; 0 if there is none. */
    public double beginMs() throws IOException {
        double[] earliest = {Double.POSITIVE_INFINITY};
        for (Path file : files) {
            read(file, row -> earliest[0] = Math.min(earliest[0], row.dueMs()));
        }
        return Double.isFinite(earliest[0]) ? earliest[0] : 0;
    }

    /** Hands each request to the recorder. The clients of each file get numbers of their own. */
    public void into(LoadRecorder recorder) throws IOException {
        for (int i = 0; i < files.size(); i++) {
            int offset = Math.multiplyExact(i, CLIENTS_A_FILE);
            read(files.get(i), row -> recorder.add(numbered(row, offset)));
        }
    }

    private static LoadRow numbered(LoadRow row, int offset) {
        return new LoadRow(
                row.dueMs(),
                row.phase(),
                offset + row.client(),
                row.latencyMs(),
                row.status(),
                row.right(),
                row.total(),
                row.version(),
                row.failure());
    }

    private static void read(Path file, Consumer<LoadRow> rows) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            if (!CsvFormat.HEAD.equals(reader.readLine())) {
                throw new IOException(
                        "%s is no CSV of fleetgrad load: its first line must be %s".formatted(file, CsvFormat.HEAD));
            }
            long number = 2;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                rows.accept(row(file, number++, line));
            }
        } catch (CharacterCodingException binary) {
            throw new IOException(file + " is no CSV of fleetgrad load: it is not text in UTF-8", binary);
        }
    }

    private static LoadRow row(Path file, long number, String line) throws IOException {
        try {
            LoadRow row = CsvFormat.read(line);
            if (row.client() >= CLIENTS_A_FILE || row.phase() >= CLIENTS_A_FILE) {
                throw new IllegalArgumentException(
                        "client %d or phase %d is not below %d".formatted(row.client(), row.phase(), CLIENTS_A_FILE));
            }
            return row;
        } catch (IllegalArgumentException malformed) {
            throw new IOException("%s, line %d: %s".formatted(file, number, malformed.getMessage()), malformed);
        }
    }
}
