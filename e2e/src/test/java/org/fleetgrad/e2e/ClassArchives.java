package org.fleetgrad.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.testing.RepositoryRoot;

/**
 * Classes of the programs as their JVMs have them loaded, so that the many processes of these tests start in half the
 * time. They are written by a run that trains and evaluates once.
 */
final class ClassArchives {

    private static final List<String> PROGRAMS =
            List.of("ps-service", "worker-action", "inference-api", FleetgradProcess.COMMAND);
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private ClassArchives() {}

    /**
     * Returns the flag for a program's JVM, or nothing if the program has no archive; makes the archives of this build
     * if need be.
     */
    static synchronized List<String> flags(String program) throws IOException {
        if (!PROGRAMS.contains(program)) {
            return List.of();
        }
        Path folder = Files.createDirectories(RepositoryRoot.path().resolve("e2e/target/archives"));
        if (!PROGRAMS.stream().allMatch(each -> isOfThisBuild(archive(folder, each), JarProcess.jar(each)))) {
            make(folder);
        }
        // A JVM that cannot use it says so in its log and starts without.
        return List.of("-XX:SharedArchiveFile=" + archive(folder, program));
    }

    private static Path archive(Path folder, String program) {
        return folder.resolve(program + ".jsa");
    }

    private static boolean isOfThisBuild(Path archive, Path jar) {
        try {
            return Files.exists(archive)
                    && Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) > 0;
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** Trains one epoch and evaluates it: the classes of a short run. An archive gets its name when it is complete. */
    private static void make(Path folder) throws IOException {
        Map<String, Path> parts = new HashMap<>();
        Map<String, List<String>> flags = new HashMap<>();
        for (String program : PROGRAMS) {
            Path part = folder.resolve(program + ".part");
            Files.deleteIfExists(part);
            parts.put(program, part);
            // Old class files, such as picocli's, cannot be archived, and each would be a warning.
            flags.put(program, List.of("-XX:ArchiveClassesAtExit=" + part, "-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
        }
        // Another thread's or an earlier build's run may be in the folder.
        Path own = Files.createTempDirectory(folder, "run");
        try (FleetgradProcess train = FleetgradProcess.startWith(
                own,
                flags,
                "train",
                "--json",
                "--out",
                "run",
                "--workers",
                "1",
                "--train-samples",
                "320",
                "--test-samples",
                "64",
                "--epochs",
                "1")) {
            int code = train.await(TIMEOUT);
            if (code != 0) {
                throw new IOException(
                        "the run that writes class archives ended with %d: %s".formatted(code, train.stderr()));
            }
        }
        for (String program : PROGRAMS) {
            Files.move(parts.get(program), archive(folder, program), StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
