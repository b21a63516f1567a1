package org.fleetgrad.runs.output;

/** Says in one sentence why a run or another command failed. */
public final class RunFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean isInput;

    private RunFailedException(String message, boolean isInput) {
        super(message);
        this.isInput = isInput;
    }

    /** The input is wrong. */
    public static RunFailedException input(String message) {
        return new RunFailedException(message, true);
    }

    /** A program or a server failed. */
    public static RunFailedException remote(String message) {
        return new RunFailedException(message, false);
    }

    /** Returns whether the input is wrong; otherwise a program or a server failed. */
    public boolean isInput() {
        return isInput;
    }
}
