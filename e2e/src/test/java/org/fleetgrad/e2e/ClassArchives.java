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
 * Classes of the programs as their JVMs have them loaded, so that the many processes of these tests start in half the time. They
 * are written by a run that trains and evaluates once, as the script {@code fleetgrad} makes them (ADR 50).
 */
final class ClassArchives {

    private static final List<String> PROGRAMS =
            List.of(FleetgradProcess.COMMAND, "ps-service", "worker-action", "inference-api");
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private ClassArchives() {}

    /** Returns the flag for a program's JVM, or nothing if the program has no archive; makes the archives of this build if need be. */
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

    /** One epoch on one shard, evaluated. An archive gets its name when it is whole. */
    private static void make(Path folder) throws IOException {
        Map<String, List<String>> flags = new HashMap<>();
        for (String program : PROGRAMS) {
            Files.deleteIfExists(half(folder, program));
            // Old class files, such as picocli's, cannot be archived, and each would be a warning. The command alone
            // reads the
            // last flag.
            flags.put(
                    program,
                    List.of(
                            "-XX:ArchiveClassesAtExit=" + half(folder, program),
                            "-Xlog:cds=off",
                            "-Xlog:cds+dynamic=off",
                            "-Dfleetgrad.patience=" + TIMEOUT.toSeconds()));
        }
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
            Files.move(half(folder, program), archive(folder, program), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static Path half(Path folder, String program) {
        return folder.resolve(program + ".half");
    }
}
