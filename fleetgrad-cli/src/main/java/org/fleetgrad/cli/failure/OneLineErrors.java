package org.fleetgrad.cli.failure;

import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.tools.command.Errors;
import picocli.CommandLine;

/** Reports a failed command in one line; with {@code FLEETGRAD_DEBUG} set, with the stack trace too. */
public final class OneLineErrors {

    private static final int INTERRUPTED = 130;

    private OneLineErrors() {}

    /** Tells whether this process was told to end. */
    private static boolean isStopping() {
        Thread probe = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException stopping) {
            return true;
        }
    }

    /** Prints why the command failed and returns the exit code. */
    public static int failed(Exception failure, CommandLine command) {
        if (isStopping()) {
            // After Ctrl-C the programs end before the command does; what fails for that reason is no news.
            return INTERRUPTED;
        }
        boolean isExpected = failure instanceof RunFailedException;
        command.getErr().println("fleetgrad: " + (isExpected ? failure.getMessage() : "unexpected: " + failure));
        if (System.getenv("FLEETGRAD_DEBUG") != null) {
            failure.printStackTrace(command.getErr());
        } else if (!isExpected) {
            command.getErr().println("fleetgrad: set FLEETGRAD_DEBUG=1 to see where");
        }
        command.getErr().flush();
        if (failure instanceof RunFailedException run) {
            return run.isInput() ? Errors.INPUT : Errors.REMOTE;
        }
        return Errors.INTERNAL;
    }
}
