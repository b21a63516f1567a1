package org.fleetgrad.web;

/**
 * Ends this process if one of its own threads dies of an OutOfMemoryError: a service without that thread would only half work.
 * The JVM's flag {@code ExitOnOutOfMemoryError}, which the images have, ends it in any thread.
 */
public final class ExitOnOutOfMemory {

    private static final int EXIT_CODE = 3;

    private ExitOnOutOfMemory() {}

    /** Applies to all threads from now on. */
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
