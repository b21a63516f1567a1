package org.fleetgrad.openwhisk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/** The code that a runtime image runs, such as a jar for a Java runtime. Immutable. */
public final class ActionCode {

    /** Limit of the encoded text, which is a third longer than the file (core/entity/Exec.scala, sizeLimit). */
    private static final long LONGEST_TEXT = 48L << 20;

    private final String base64;
    private final String main;

    private ActionCode(String base64, String main) {
        this.base64 = base64;
        this.main = main;
    }

    /**
     * Reads a file.
     *
     * @param main entry point in it, such as a class with {@code JsonObject main(JsonObject)}
     * @throws IllegalArgumentException if OpenWhisk accepts no file of this size
     */
    public static ActionCode read(Path file, String main) throws IOException {
        long text = (Files.size(file) + 2) / 3 * 4;
        if (text > LONGEST_TEXT) {
            throw new IllegalArgumentException("%s has %d bytes, which are %d in base64; OpenWhisk takes %d"
                    .formatted(file, Files.size(file), text, LONGEST_TEXT));
        }
        return new ActionCode(Base64.getEncoder().encodeToString(Files.readAllBytes(file)), main);
    }

    String base64() {
        return base64;
    }

    String main() {
        return main;
    }
}
