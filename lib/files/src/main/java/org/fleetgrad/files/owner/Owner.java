package org.fleetgrad.files.owner;

import java.util.Map;
import java.util.Optional;

/**
 * The process that started a program and owns it. A killed process cannot end its programs, so they watch it. Stateless
 * and thread-safe.
 */
public final class Owner {

    /** The environment variable that names the owner to a program, by its process id. */
    public static final String VARIABLE = "FLEETGRAD_OWNER";

    /** The exit code of the JVM after SIGTERM. */
    private static final int EXIT_CODE = 143;

    private Owner() {}

    /** Returns the value of {@link #VARIABLE} for programs that this process starts itself. */
    public static String thisProcess() {
        return Long.toString(ProcessHandle.current().pid());
    }

    /**
     * Ends this program when its owner ends, as SIGTERM would: open resources are closed. Without an owner nothing happens.
     *
     * @param environment of this program
     * @throws IllegalArgumentException if {@link #VARIABLE} is not a process id
     */
    public static void follow(Map<String, String> environment) {
        String owner = environment.get(VARIABLE);
        if (owner != null) {
            watch(owner, ProcessHandle.current().parent(), () -> {
                System.err.println(
                        "process %s, which this program belongs to, has ended: it ends, too".formatted(owner));
                System.exit(EXIT_CODE);
            });
        }
    }

    /**
     * Calls {@code onEnd} once, in another thread or at once, when the owner has ended.
     *
     * @param parent of this process. The owner started it, so another parent means that the owner is gone: process ids
     *     are reused, and the system gives orphans to another process
     */
    static void watch(String owner, Optional<ProcessHandle> parent, Runnable onEnd) {
        if (!owner.matches("\\d{1,18}")) {
            throw new IllegalArgumentException("%s must be a process id; it is '%.40s'".formatted(VARIABLE, owner));
        }
        Optional<ProcessHandle> alive = parent.filter(process -> process.pid() == Long.parseLong(owner));
        if (alive.isEmpty()) {
            onEnd.run();
            return;
        }
        Object unused = alive.get().onExit().thenRun(onEnd);
    }
}
