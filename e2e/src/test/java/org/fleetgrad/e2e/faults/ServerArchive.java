package org.fleetgrad.e2e.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.fleetgrad.cli.process.Ports;
import org.fleetgrad.e2e.JarProcess;
import org.fleetgrad.testing.RepositoryRoot;

/** A class-data archive of ps-service, so that the many servers of these tests start in half the time. */
final class ServerArchive {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private ServerArchive() {}

    /** Returns the JVM's flags; creates the archive if there is none for this build. */
    static synchronized List<String> flags() throws IOException, InterruptedException {
        Path folder = Files.createDirectories(RepositoryRoot.path().resolve("e2e/target/faults"));
        Path archive = folder.resolve("ps-service.jsa");
        Path jar = JarProcess.jar("ps-service");
        if (!Files.exists(archive)
                || Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) < 0) {
            Files.deleteIfExists(archive);
            make(archive, folder.resolve("ps-service-archive.log"));
        }
        // A JVM that cannot use the archive logs that and starts without it.
        return List.of("-XX:SharedArchiveFile=" + archive);
    }

    private static void make(Path archive, Path log) throws IOException, InterruptedException {
        int port = Ports.free();
        JarProcess server = JarProcess.start(
                List.of(),
                List.of("-XX:ArchiveClassesAtExit=" + archive),
                "ps-service",
                log,
                Map.of("SERVER_PORT", Integer.toString(port)));
        try {
            new ServerUnderTest.Direct(port).awaitReady(server, log);
            server.signal("TERM");
            server.await(PATIENCE);
        } finally {
            server.kill();
        }
    }
}
