package org.fleetgrad.cli.shards;

import java.io.IOException;
import java.nio.file.Path;
import org.fleetgrad.cli.failure.CommandFailedException;

/** The message about a {@code --data} folder that cannot be read. It names the folder once. */
public final class UnreadableData {

    private UnreadableData() {}

    /** Makes the message for a failure whose own message may begin with the folder. */
    public static CommandFailedException of(Path folder, IOException failure) {
        String message = String.valueOf(failure.getMessage());
        if (message.equals(folder.toString())) {
            // The JDK's exceptions about files often have no reason.
            return CommandFailedException.input("--data %s: it cannot be read (%s)"
                    .formatted(folder, failure.getClass().getSimpleName()));
        }
        boolean isNamed = message.startsWith(folder + ": ") || message.startsWith(folder + " ");
        return CommandFailedException.input("--data " + (isNamed ? message : folder + ": " + message));
    }
}
