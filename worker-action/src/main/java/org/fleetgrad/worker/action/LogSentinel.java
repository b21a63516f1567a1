package org.fleetgrad.worker.action;

import java.io.PrintStream;

/** The line that ends the log of an activation. OpenWhisk reads each stream up to it. */
public final class LogSentinel {

    static final String SENTINEL = "XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX";

    private LogSentinel() {}

    /** Writes it to each stream. */
    public static void write(PrintStream... streams) {
        for (PrintStream stream : streams) {
            stream.println(SENTINEL);
            stream.flush();
        }
    }
}
