package org.fleetgrad.tools.command;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/** Tells whether a person is watching. */
final class Terminal {

    private Terminal() {}

    /** Java tells of stdin and stdout only, and of both together; POSIX's {@code test} tells what stderr is. */
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
