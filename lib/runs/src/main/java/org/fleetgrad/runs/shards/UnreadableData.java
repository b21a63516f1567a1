package org.fleetgrad.runs.shards;

import java.io.IOException;
import java.nio.file.Path;
import org.fleetgrad.runs.output.RunFailedException;

/** The message about a {@code --data} folder that cannot be read. It names the folder once. */
public final class UnreadableData {

    private UnreadableData() {}

    /** Makes the message for a failure whose own message may begin with the folder. */
    public static RunFailedException of(Path folder, IOException failure) {
        String message = String.valueOf(failure.getMessage());
        if (message.equals(folder.toString())) {
            // The JDK's exceptions about files often have no reason.
            return RunFailedException.input("--data %s: it cannot be read (%s)"
                    .formatted(folder, failure.getClass().getSimpleName()));
        }
        boolean isNamed = message.startsWith(folder + ": ") || message.startsWith(folder + " ");
        return RunFailedException.input("--data " + (isNamed ? message : folder + ": " + message));
    }
}
