package org.fleetgrad.runs.output;

import java.time.Duration;

/** Receives the lines that a run tells its user. Thread-safe. */
public interface RunOutput {

    /** Shows nothing. */
    RunOutput SILENT = new RunOutput() {
        @Override
        public void tell(String line) {}

        @Override
        public void live(String line) {}

        @Override
        public Duration pace() {
            return Duration.ofDays(1);
        }
    };

    /** Takes a line of progress. */
    void tell(String line);

    /** Takes the newest state, which replaces the state before it. */
    void live(String line);

    /** Returns the time from one {@link #live} to the next while programs start. */
    Duration pace();

    /** Shows a line although the process is being stopped, when the other lines say nothing that matters any more. */
    default void farewell(String line) {
        tell(line);
    }
}
