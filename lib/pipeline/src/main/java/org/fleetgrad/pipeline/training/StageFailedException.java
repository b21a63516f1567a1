package org.fleetgrad.pipeline.training;

/** A stage failed, and with it the window; the cause says why. The last published flush is still valid. */
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
