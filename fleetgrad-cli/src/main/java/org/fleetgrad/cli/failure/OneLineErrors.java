package org.fleetgrad.cli.failure;

import picocli.CommandLine;

/** Reports a failed command in one line; with {@code FLEETGRAD_DEBUG} set, with the stack trace too. */
public final class OneLineErrors {

    private static final int INTERNAL = 1;

    private OneLineErrors() {}

    /** Prints why the command failed and returns the exit code. */
    public static int failed(Exception failure, CommandLine command) {
        boolean isExpected = failure instanceof CommandFailedException;
        String message = isExpected ? failure.getMessage() : "unexpected: " + failure;
        command.getErr().println("fleetgrad: " + message);
        if (System.getenv("FLEETGRAD_DEBUG") != null) {
            failure.printStackTrace(command.getErr());
        } else if (!isExpected) {
            command.getErr().println("fleetgrad: set FLEETGRAD_DEBUG=1 to see where");
        }
        command.getErr().flush();
        return failure instanceof CommandFailedException expected ? expected.exitCode() : INTERNAL;
    }
}
