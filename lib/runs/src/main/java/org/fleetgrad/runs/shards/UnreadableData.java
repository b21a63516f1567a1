package org.fleetgrad.runs.shards;

import java.io.IOException;
import java.nio.file.Path;
import org.fleetgrad.runs.output.OptionPath;
import org.fleetgrad.runs.output.RunFailedException;

/** The message about a {@code --data} folder that cannot be read. It names the folder once. */
public final class UnreadableData {

    private UnreadableData() {}

    /** Makes the message for a failure whose own message may begin with the folder. */
    public static RunFailedException of(Path folder, IOException failure) {
        return RunFailedException.input(new OptionPath("--data", folder).message(failure));
    }
}
