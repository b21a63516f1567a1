package org.fleetgrad.evaluator;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.files.NameLookups;
import picocli.CommandLine;

/** The program, as {@code fleetgrad evaluate} starts it. */
public final class Evaluate {

    /** Time for the evaluation of a batch, and for the last lines. */
    private static final int TIMEOUT_SECONDS = 5;

    private Evaluate() {}

    /** Runs the command and exits with its code. */
    public static void main(String[] arguments) {
        NameLookups.shortenCaching();
        Thread evaluating = Thread.currentThread();
        CountDownLatch end = new CountDownLatch(1);
        // Ctrl-C ends the evaluations, but the completed ones are still summarized.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> finish(evaluating, end), "finish"));
        int code = commandLine().execute(arguments);
        end.countDown();
        System.exit(code);
    }

    private static void finish(Thread evaluating, CountDownLatch end) {
        if (end.getCount() == 0) {
            return;
        }
        evaluating.interrupt();
        try {
            boolean unused = end.await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException again) {
            Thread.currentThread().interrupt();
        }
    }

    static CommandLine commandLine() {
        return new CommandLine(new EvaluateCommand())
                // As in every command of fleetgrad: an option on the command line overrides a recipe's.
                .setOverwrittenOptionsAllowed(true)
                .setExecutionExceptionHandler(Failures::failed)
                .setParameterExceptionHandler(Failures::misused);
    }
}
