package org.fleetgrad.tools.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.ServerUnavailableException;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.idx.InvalidIdxException;
import org.fleetgrad.datasets.shard.InvalidShardException;
import org.fleetgrad.store.RemoteException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The messages of a failed command: the command as it was typed, the error, and what to do. */
public final class Errors {

    /** Exit code: an error inside the program. */
    public static final int INTERNAL = 1;

    /** Exit code: an input file is missing or invalid, or an output file exists. */
    public static final int INPUT = 3;

    /** Exit code: a server or the network failed. */
    public static final int REMOTE = 4;

    private Errors() {}

    /**
     * Reports a wrong command line in two lines: the error, and how to get help. The complete usage would scroll the error
     * off the screen.
     */
    public static int misused(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        PrintWriter err = command.getErr();
        err.printf("%s: %s%s%n", name, wrong.getMessage(), suggestion(wrong));
        err.printf("Try '%s --help'.%n", name);
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String suggestion(ParameterException wrong) {
        List<String> similar =
                wrong instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        return similar.isEmpty() ? "" : "; did you mean %s?".formatted(String.join(" or ", similar));
    }

    /** Reports a command of this module that failed, in one line; with {@code --verbose}, with the stack trace too. */
    public static int failed(Exception thrown, CommandLine command, ParseResult all) {
        Failure failure = Failure.of(thrown);
        command.getErr().printf("%s: %s%n", command.getCommandSpec().qualifiedName(), failure.line());
        boolean isVerbose = command.getCommandSpec().mixins().values().stream()
                .anyMatch(mixin -> mixin.userObject() instanceof Console console && console.isVerbose());
        if (isVerbose) {
            thrown.printStackTrace(command.getErr());
        }
        command.getErr().flush();
        return failure.exitCode();
    }

    /**
     * The message about an exception, for the user.
     *
     * @param exitCode as the help's table lists it
     * @param line     what went wrong, for which file, and what to do
     */
    record Failure(int exitCode, String line) {

        private static final int SERVER_ERRORS = 500;

        /** Explains an exception that ended a command. */
        static Failure of(Throwable thrown) {
            String message = String.valueOf(thrown.getMessage());
            if (thrown instanceof RemoteException
                    || thrown instanceof ServerUnavailableException
                    || thrown instanceof SSLPeerUnverifiedException) {
                return new Failure(REMOTE, message);
            }
            if (thrown instanceof ProblemException refused) {
                return new Failure(
                        refused.problem().status() < SERVER_ERRORS ? INPUT : REMOTE,
                        message + Credentials.advice(refused, System.getenv()));
            }
            if (thrown instanceof InvalidShardException || thrown instanceof InvalidIdxException) {
                return new Failure(INPUT, message + "; fetch or build the file again");
            }
            if (thrown instanceof InvalidDatasetException) {
                return new Failure(INPUT, message);
            }
            if (thrown instanceof FileSystemException fileSystem) {
                return new Failure(INPUT, explain(fileSystem));
            }
            if (thrown instanceof IOException) {
                return new Failure(INPUT, "reading or writing failed: " + message);
            }
            return new Failure(
                    INTERNAL,
                    "%s: %s; run again with -v and report it"
                            .formatted(thrown.getClass().getName(), message));
        }

        private static String explain(FileSystemException thrown) {
            String file = thrown.getFile();
            String reason = thrown.getReason() == null ? "" : ": " + thrown.getReason();
            if (thrown instanceof NoSuchFileException) {
                return "%s does not exist, or lacks what is needed%s; check the path".formatted(file, reason);
            }
            if (thrown instanceof FileAlreadyExistsException) {
                return "%s exists already%s; pass --force to overwrite it".formatted(file, reason);
            }
            if (thrown instanceof AccessDeniedException) {
                return "%s may not be accessed; check its permissions".formatted(file);
            }
            return "%s cannot be read or written%s".formatted(file, reason);
        }
    }
}
