package org.fleetgrad.runs.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * The file into which a program writes the port that it listens on. Only the program itself knows: a port that was free a
 * moment ago may be another program's by the time this one binds it.
 */
record PortFile(Path path) {

    /** The environment variable that names the file to a program. */
    static final String VARIABLE = "FLEETGRAD_PORT_FILE";

    /** The environment variable that names the file for the port on which a worker serves predictions. */
    static final String SERVING_VARIABLE = "FLEETGRAD_SERVE_PORT_FILE";

    private static final String PORT = "\\d{1,5}";

    /** Returns the port; empty until the program listens. */
    OptionalInt read() throws IOException {
        try {
            String text = Files.readString(path);
            // The file exists before its content.
            return text.matches(PORT) ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
        } catch (NoSuchFileException notYet) {
            return OptionalInt.empty();
        }
    }

    /** Removes what an earlier program wrote. */
    void clear() throws IOException {
        Files.deleteIfExists(path);
    }
}
