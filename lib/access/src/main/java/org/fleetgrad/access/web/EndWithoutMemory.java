package org.fleetgrad.access.web;

/**
 * Ends this process if one of its own threads dies for want of memory: a service without that thread would stay half alive. The
 * JVM's flag {@code ExitOnOutOfMemoryError}, which the images have, ends it in any thread.
 */
public final class EndWithoutMemory {

    /** The code of the JVM's flag. */
    private static final int EXIT_CODE = 3;

    private EndWithoutMemory() {}

    /** Counts for all threads from now on. */
    public static void install() {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            if (failure instanceof OutOfMemoryError) {
                // Without shutdown hooks, which need memory.
                Runtime.getRuntime().halt(EXIT_CODE);
            }
            System.err.println("thread " + thread.getName() + " died");
            failure.printStackTrace();
        });
    }
}
