package org.fleetgrad.runs.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a program has done since it was started.
 *
 * @param processorTime that it used; empty if the system does not report it
 * @param logged        a number that changes when its log grows, such as the log's bytes; 0 for an empty log
 */
public record ProgramActivity(Optional<Duration> processorTime, long logged) {

    /** Of a program that was not polled yet. */
    static final ProgramActivity NONE = new ProgramActivity(Optional.empty(), 0);

    /** Returns what processes of this machine, which write one log, have done together. */
    public static ProgramActivity of(Stream<ProcessHandle> processes, Path log) throws IOException {
        long logged;
        try {
            logged = Files.size(log);
        } catch (NoSuchFileException notYet) {
            logged = 0;
        }
        Optional<Duration> used = processes
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .reduce(Duration::plus);
        return new ProgramActivity(used, logged);
    }

    /** Returns whether the log has grown since, or {@code enough} processor time was used. */
    boolean isAheadOf(ProgramActivity earlier, Duration enough) {
        return logged != earlier.logged || since(earlier).compareTo(enough) >= 0;
    }

    /** Returns the processor time that was used since. */
    Duration since(ProgramActivity earlier) {
        return processorTime.orElse(Duration.ZERO).minus(earlier.processorTime.orElse(Duration.ZERO));
    }
}
