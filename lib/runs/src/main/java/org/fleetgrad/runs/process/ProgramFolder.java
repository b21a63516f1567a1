package org.fleetgrad.runs.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.runs.output.RunFailedException;

/**
 * The folder of the built programs. A build writes into the checkout's {@code target} folders, and a JVM whose jar is
 * overwritten crashes: the script {@code fleetgrad} installs the programs in another folder, which is laid out as the
 * checkout is (ADR 37).
 */
public final class ProgramFolder {

    /** The system property that names the folder; by default the checkout itself. */
    private static final String PROPERTY = "fleetgrad.programs";

    private ProgramFolder() {}

    /** Returns the checkout, which the script {@code fleetgrad} names by {@code -Dfleetgrad.home}. */
    public static Path home() throws RunFailedException {
        String home = System.getProperty("fleetgrad.home");
        if (home == null) {
            throw RunFailedException.input(
                    "-Dfleetgrad.home is not set: start with the script ./fleetgrad, which sets it");
        }
        return Path.of(home).toAbsolutePath();
    }

    /** Returns the jar of a module's program, with its libraries in {@code lib} beside it. */
    public static Path jar(Path home, String module) {
        return of(home).resolve(module).resolve("target").resolve(module + ".jar");
    }

    /**
     * Returns the flags with which a module's program finds its archived classes, as an argument of {@code java}; empty if it
     * has none (ADR 50).
     */
    public static Optional<String> classes(Path home, String module) {
        Path flags = of(home).resolve("classes").resolve(module + ".options");
        return Files.exists(flags) ? Optional.of("@" + flags) : Optional.empty();
    }

    /** Returns the flag of a JVM that makes a program start others from the same folder. */
    public static String flag(Path home) {
        return "-D%s=%s".formatted(PROPERTY, of(home));
    }

    private static Path of(Path home) {
        String installed = System.getProperty(PROPERTY, "");
        return installed.isEmpty() ? home : Path.of(installed);
    }
}
