package org.fleetgrad.tools;

/** Hears how far a long piece of work is. Called from the thread that does the work. */
public interface Progress {

    /** Listens to nothing. */
    Progress SILENT = new Progress() {
        @Override
        public void begin(String task, long total, String unit) {}

        @Override
        public void reach(long done) {}

        @Override
        public void end() {}
    };

    /** A task of {@code total} units begins. */
    void begin(String task, long total, String unit);

    /** {@code done} units of the task are done now. */
    void reach(long done);

    /** The task is over, done or failed. */
    void end();
}
