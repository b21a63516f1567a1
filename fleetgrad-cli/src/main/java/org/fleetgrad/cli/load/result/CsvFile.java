package org.fleetgrad.cli.load.result;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes each request into a file as it ends. Belongs to the recorder that calls it, which lets in one at a time. */
public final class CsvFile implements LoadRecorder.RowSink, AutoCloseable {

    private final BufferedWriter writer;
    private @Nullable IOException failure;

    private CsvFile(BufferedWriter writer) {
        this.writer = writer;
    }

    /** Begins a file; one that is there is written anew. */
    public static CsvFile create(Path file) throws IOException {
        CsvFile csv = new CsvFile(Files.newBufferedWriter(file));
        csv.write(CsvFormat.HEAD);
        return csv;
    }

    /** Adds a request. A disk that is full must not end the run: {@link #close} tells of it. */
    @Override
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

    /** Writes what is left. @throws IOException if any row could not be written */
    @Override
    public void close() throws IOException {
        writer.close();
        if (failure != null) {
            throw failure;
        }
    }
}
