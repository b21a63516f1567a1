package org.fleetgrad.cli.failure;

import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Answers a failure with one line and its exit code; with {@code FLEETGRAD_DEBUG} set, with the stack trace too. */
public final class OneLineErrors implements IExecutionExceptionHandler {

    private static final int INTERNAL = 1;

    @Override
    public int handleExecutionException(Exception failure, CommandLine commandLine, ParseResult parsed) {
        boolean isExpected = failure instanceof CommandFailedException;
        String message = isExpected ? failure.getMessage() : "unexpected: " + failure;
        commandLine.getErr().println("fleetgrad: " + message);
        if (System.getenv("FLEETGRAD_DEBUG") != null) {
            failure.printStackTrace(commandLine.getErr());
        } else if (!isExpected) {
            commandLine.getErr().println("fleetgrad: set FLEETGRAD_DEBUG=1 to see where");
        }
        return failure instanceof CommandFailedException expected ? expected.exitCode() : INTERNAL;
    }
}
