package org.fleetgrad.evaluator;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.ServerUnavailableException;
import org.fleetgrad.evaluator.export.DifferentAnswersException;
import org.fleetgrad.files.NameLookups;
import org.fleetgrad.store.RemoteException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The program, as {@code fleetgrad evaluate} starts it. */
public final class Evaluate {

    /** Time for the evaluation of a batch, and for the last lines. */
    private static final int TIMEOUT_SECONDS = 5;

    private static final int INTERNAL = 1;
    private static final int INPUT = 3;
    private static final int REMOTE = 4;

    private Evaluate() {}

    /** Runs the command and exits with its code. */
    public static void main(String[] arguments) {
        NameLookups.shortenCaching();
        Thread evaluating = Thread.currentThread();
        CountDownLatch end = new CountDownLatch(1);
        // Ctrl-C ends the evaluations, but the completed ones are still summarized.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> finish(evaluating, end), "finish"));
        int code = isExport(arguments)
                ? commandLine(new ExportCommand()).execute(Arrays.copyOfRange(arguments, 1, arguments.length))
                : commandLine().execute(arguments);
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

    /** The command line starts this program for exports, too: it has libtorch, with which they are compared. */
    private static boolean isExport(String... arguments) {
        return arguments.length > 0 && arguments[0].equals(ExportCommand.WORD);
    }

    static CommandLine commandLine() {
        return commandLine(new EvaluateCommand());
    }

    static CommandLine commandLine(Object command) {
        return new CommandLine(command)
                // As in every command of fleetgrad: an option on the command line overrides a recipe's.
                .setOverwrittenOptionsAllowed(true)
                .setExecutionExceptionHandler(Evaluate::failed)
                .setParameterExceptionHandler(Evaluate::misused);
    }

    /** Reports a wrong command line: the error, and how to get help. */
    private static int misused(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        PrintWriter err = command.getErr();
        err.printf("%s: %s%nTry '%s --help'.%n", name, wrong.getMessage(), name);
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** Reports why the evaluation ended; with {@code FLEETGRAD_DEBUG} set, with the stack trace too. */
    private static int failed(Exception failure, CommandLine command, ParseResult parsed) {
        command.getErr().println("fleetgrad: " + line(failure));
        if (System.getenv("FLEETGRAD_DEBUG") != null) {
            failure.printStackTrace(command.getErr());
        }
        command.getErr().flush();
        return code(failure);
    }

    private static String line(Exception failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof ProblemException refused) {
            return message + Credentials.advice(refused, System.getenv());
        }
        boolean isExplained = failure instanceof IOException
                || failure instanceof IllegalArgumentException
                || failure instanceof DifferentAnswersException;
        return isExplained ? message : "unexpected: %s; set FLEETGRAD_DEBUG=1 to see where".formatted(failure);
    }

    private static int code(Exception failure) {
        boolean isRemote = failure instanceof RemoteException
                || failure instanceof ProblemException
                || failure instanceof ServerUnavailableException
                || failure instanceof SSLPeerUnverifiedException;
        if (isRemote) {
            return REMOTE;
        }
        return failure instanceof IOException || failure instanceof IllegalArgumentException ? INPUT : INTERNAL;
    }
}
