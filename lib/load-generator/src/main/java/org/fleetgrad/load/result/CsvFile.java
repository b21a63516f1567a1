package org.fleetgrad.load.result;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes each request into a file as it ends. Guarded by the recorder that calls it, one call at a time. */
public final class CsvFile implements AutoCloseable {

    private final BufferedWriter writer;
    private @Nullable IOException failure;

    private CsvFile(BufferedWriter writer) {
        this.writer = writer;
    }

    /** Creates a file; an existing one is overwritten. */
    public static CsvFile create(Path file) throws IOException {
        CsvFile csv = new CsvFile(Files.newBufferedWriter(file));
        csv.write(CsvFormat.HEAD);
        return csv;
    }

    /** Adds a request. A full disk must not end the run: {@link #close} reports it. */
    public void add(LoadRow row) {
        if (failure != null) {
            return;
        }
        try {
            write(CsvFormat.line(row));
        } catch (IOException full) {
            failure = full;
        }
    }

    private void write(String line) throws IOException {
        writer.write(line);
        writer.write('\n');
    }

    /** Flushes the remaining rows. @throws IOException if any row could not be written */
    @Override
    public void close() throws IOException {
        writer.close();
        if (failure != null) {
            throw failure;
        }
    }
}
