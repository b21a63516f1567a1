package org.fleetgrad.evaluator;

import java.io.IOException;
import java.io.PrintWriter;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.ServerUnavailableException;
import org.fleetgrad.store.RemoteException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Reports a failed evaluation: one line for the user, and an exit code of {@code fleetgrad}. */
final class Failures {

    private static final int INTERNAL = 1;
    private static final int INPUT = 3;
    private static final int REMOTE = 4;

    private Failures() {}

    /** Reports a wrong command line: the error, and how to get help. */
    static int misused(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        PrintWriter err = command.getErr();
        err.printf("%s: %s%nTry '%s --help'.%n", name, wrong.getMessage(), name);
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** Reports why the evaluation ended; with {@code FLEETGRAD_DEBUG} set, with the stack trace too. */
    static int failed(Exception failure, CommandLine command, ParseResult parsed) {
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
        boolean isExplained = failure instanceof IOException || failure instanceof IllegalArgumentException;
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
