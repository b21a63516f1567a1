package org.fleetgrad.tools;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.ServerUnavailableException;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.idx.InvalidIdxException;
import org.fleetgrad.datasets.shard.InvalidShardException;
import org.fleetgrad.store.RemoteException;

/**
 * The message about an exception, for the user.
 *
 * @param exitCode one of {@link ExitCode}
 * @param line     what went wrong, for which file, and what to do
 */
public record Failure(int exitCode, String line) {

    private static final int SERVER_ERRORS = 500;

    /** Explains an exception that ended a command. */
    public static Failure of(Throwable thrown) {
        String message = String.valueOf(thrown.getMessage());
        if (thrown instanceof RemoteException
                || thrown instanceof ServerUnavailableException
                || thrown instanceof SSLPeerUnverifiedException) {
            return new Failure(ExitCode.REMOTE, message);
        }
        if (thrown instanceof ProblemException refused) {
            return new Failure(
                    refused.problem().status() < SERVER_ERRORS ? ExitCode.INPUT : ExitCode.REMOTE,
                    message + Credentials.advice(refused, System.getenv()));
        }
        if (thrown instanceof InvalidShardException || thrown instanceof InvalidIdxException) {
            return new Failure(ExitCode.INPUT, message + "; fetch or build the file again");
        }
        if (thrown instanceof InvalidDatasetException) {
            return new Failure(ExitCode.INPUT, message);
        }
        if (thrown instanceof FileSystemException fileSystem) {
            return new Failure(ExitCode.INPUT, explain(fileSystem));
        }
        if (thrown instanceof IOException) {
            return new Failure(ExitCode.INPUT, "reading or writing failed: " + message);
        }
        return new Failure(
                ExitCode.INTERNAL,
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
