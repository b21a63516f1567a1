package org.fleetgrad.benchmarks.modes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.benchmarks.partial.ResultFile;

/** The cells measured so far, so that an aborted run can be continued. */
final class PartialResults {

    private final ResultFile<Measured> file;

    private PartialResults(ResultFile<Measured> file) {
        this.file = file;
    }

    /** Starts a new file, replacing that of an earlier run. */
    static PartialResults begin(Path file, Plan plan) throws IOException {
        return new PartialResults(ResultFile.begin(file, plan));
    }

    /**
     * Continues the file of an earlier run.
     *
     * @throws IOException if there is none, or it has another plan
     */
    static PartialResults goOn(Path file, Plan plan) throws IOException {
        return new PartialResults(ResultFile.goOn(file, plan, Measured.class));
    }

    void add(Measured measured) throws IOException {
        file.add(measured);
    }

    boolean has(Cell cell, int repeat) {
        return of(cell).stream().anyMatch(measured -> measured.repeat() == repeat);
    }

    List<Measured> of(Cell cell) {
        return file.all().stream()
                .filter(measured -> measured.cell().equals(cell.name()))
                .toList();
    }

    void delete() throws IOException {
        file.delete();
    }
}
