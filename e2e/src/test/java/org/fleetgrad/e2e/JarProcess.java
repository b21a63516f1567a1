package org.fleetgrad.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fleetgrad.testing.RepositoryRoot;

/** One of the built programs, started by hand so that a test can kill it. */
final class JarProcess {

    private final Process process;

    private JarProcess(Process process) {
        this.process = process;
    }

    static JarProcess start(String module, Path log, Map<String, String> environment) throws IOException {
        Path jar = RepositoryRoot.path().resolve(module).resolve("target").resolve(module + ".jar");
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        jar.toString()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        return new JarProcess(builder.start());
    }

    /** Kills the program as {@code kill -9} does, and waits until it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
