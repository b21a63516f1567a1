package org.fleetgrad.benchmarks.configurations;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.benchmarks.partial.ResultFile;

/** The runs so far. A table of hours is measured in pieces, and an aborted one is continued. */
final class TrainedRuns {

    private final ResultFile<Trained> file;

    private TrainedRuns(ResultFile<Trained> file) {
        this.file = file;
    }

    /** Starts a new file, replacing that of an earlier run. */
    static TrainedRuns begin(Path file, Plan plan) throws IOException {
        return new TrainedRuns(ResultFile.begin(file, plan));
    }

    /**
     * Continues the file of an earlier run.
     *
     * @throws IOException if there is none, or it has another plan
     */
    static TrainedRuns goOn(Path file, Plan plan) throws IOException {
        return new TrainedRuns(ResultFile.goOn(file, plan, Trained.class));
    }

    void add(Trained trained) throws IOException {
        file.add(trained);
    }

    boolean has(Configuration configuration, int seed) {
        return of(configuration).stream().anyMatch(trained -> trained.seed() == seed);
    }

    List<Trained> of(Configuration configuration) {
        return file.all().stream()
                .filter(trained -> trained.configuration().equals(configuration.name()))
                .toList();
    }
}
