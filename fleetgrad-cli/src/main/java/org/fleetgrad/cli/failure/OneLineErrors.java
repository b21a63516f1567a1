package org.fleetgrad.cli.failure;

import java.util.OptionalInt;
import org.fleetgrad.runs.output.RunFailedException;
import picocli.CommandLine;

/** Reports a failed command in one line; with {@code FLEETGRAD_DEBUG} set, with the stack trace too. */
public final class OneLineErrors {

    private static final int INTERNAL = 1;

    private OneLineErrors() {}

    /** Prints why the command failed and returns the exit code. */
    public static int failed(Exception failure, CommandLine command) {
        OptionalInt expected = expected(failure);
        String message = expected.isPresent() ? failure.getMessage() : "unexpected: " + failure;
        command.getErr().println("fleetgrad: " + message);
        if (System.getenv("FLEETGRAD_DEBUG") != null) {
            failure.printStackTrace(command.getErr());
        } else if (expected.isEmpty()) {
            command.getErr().println("fleetgrad: set FLEETGRAD_DEBUG=1 to see where");
        }
        command.getErr().flush();
        return expected.orElse(INTERNAL);
    }

    private static OptionalInt expected(Exception failure) {
        if (failure instanceof RunFailedException run) {
            return OptionalInt.of(run.isInput() ? CommandFailedException.INPUT : CommandFailedException.REMOTE);
        }
        return failure instanceof CommandFailedException command
                ? OptionalInt.of(command.exitCode())
                : OptionalInt.empty();
    }
}
