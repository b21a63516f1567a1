package org.fleetgrad.cli.failure;

/** Ends a command with one sentence for the user and the exit code. */
public final class CommandFailedException extends Exception {

    private static final long serialVersionUID = 1L;
    static final int INPUT = 3;
    static final int REMOTE = 4;

    private final int exitCode;

    private CommandFailedException(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    /** The input is wrong. */
    public static CommandFailedException input(String message) {
        return new CommandFailedException(message, INPUT);
    }

    /** A program or a server failed. */
    public static CommandFailedException remote(String message) {
        return new CommandFailedException(message, REMOTE);
    }

    /** Returns the code to exit with. */
    public int exitCode() {
        return exitCode;
    }
}
