package org.fleetgrad.runs.output;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A path that an option names, for messages. The messages of exceptions about files often begin with the path, or with that of a file
 * below it; the user reads it once.
 *
 * @param option such as {@code --data}
 * @param path   as the user wrote it
 */
public record OptionPath(String option, Path path) {

    /** Makes the message of a failure, which names the path once. */
    public String message(Exception failure) {
        String reason = String.valueOf(failure.getMessage());
        if (reason.equals(path.toString())) {
            // The JDK's exceptions about files often have no reason.
            return message("it cannot be read (%s)".formatted(failure.getClass().getSimpleName()));
        }
        // Some exceptions of the JDK have no message.
        boolean isExplained = failure instanceof IOException || failure instanceof IllegalArgumentException;
        return message(isExplained && failure.getMessage() != null ? reason : failure.toString());
    }

    private String message(String reason) {
        String shown = path.toString();
        if (reason.startsWith(shown + ": ") || reason.startsWith(shown + " ")) {
            return "%s %s".formatted(option, reason);
        }
        String below = shown.endsWith("/") ? shown : shown + "/";
        return "%s %s: %s"
                .formatted(option, shown, reason.startsWith(below) ? reason.substring(below.length()) : reason);
    }
}
