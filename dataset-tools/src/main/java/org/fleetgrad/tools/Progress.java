package org.fleetgrad.tools;

/** Follows the progress of a long task. Called from the thread that runs the task. */
public interface Progress {

    /** Ignores all progress. */
    Progress SILENT = new Progress() {
        @Override
        public void begin(String task, long total, String unit) {}

        @Override
        public void reach(long done) {}

        @Override
        public void end() {}
    };

    /** A task of {@code total} units starts. */
    void begin(String task, long total, String unit);

    /** The task has completed {@code done} units. */
    void reach(long done);

    /** The task has ended, with or without success. */
    void end();
}
