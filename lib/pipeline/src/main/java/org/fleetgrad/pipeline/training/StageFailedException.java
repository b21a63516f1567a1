package org.fleetgrad.pipeline.training;

/** A stage failed, and with it the window; the cause says why. What was published at the last flush is still good. */
public final class StageFailedException extends Exception {

    private static final long serialVersionUID = 1;

    private final int stage;

    StageFailedException(int stage, Throwable cause) {
        super("stage %d failed: %s".formatted(stage, cause), cause);
        this.stage = stage;
    }

    /** Returns the stage that failed first. */
    public int stage() {
        return stage;
    }
}
