package org.fleetgrad.tools.command;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/** Returns whether the output is a terminal. */
final class Terminal {

    private Terminal() {}

    /** Runs POSIX's {@code test}: Java knows about stdin and stdout only, and only about both together. */
    static boolean isStderr() {
        try {
            return new ProcessBuilder("test", "-t", "2")
                            .redirectError(Redirect.INHERIT)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noSuchProgram) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
