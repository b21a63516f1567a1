package org.fleetgrad.e2e.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.e2e.JarProcess;
import org.fleetgrad.testing.FreePorts;
import org.fleetgrad.testing.RepositoryRoot;

/** One JVM with parameter servers for tests that kill none: a server in a warm JVM starts in a fraction of a second. */
public final class ServerHost implements AutoCloseable {

    private final Process process;
    private final BufferedReader answers;
    private final Writer commands;

    /** One of the servers. */
    private final class Hosted implements PartitionServer {

        private final int port = FreePorts.next();

        @Override
        public int port() {
            return port;
        }

        @Override
        public void close() {
            try {
                tell("stop\t" + port);
            } catch (IOException gone) {
                throw new IllegalStateException("the server at %d did not stop".formatted(port), gone);
            }
        }
    }

    /** Starts the JVM, whose log is the file {@code log}. */
    public ServerHost(Path log) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                JarProcess.jar("ps-service")
                        + System.getProperty("path.separator")
                        + RepositoryRoot.path().resolve("e2e/target/test-classes"),
                ManyServers.class.getName()));
        process = new ProcessBuilder(command).redirectError(log.toFile()).start();
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        commands = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Starts a server and waits until it serves.
     *
     * @param folder   where it keeps its run
     * @param settings as variables of the environment name them
     */
    public PartitionServer start(Path folder, Map<String, String> settings) throws IOException {
        Hosted server = new Hosted();
        Map<String, String> all = new TreeMap<>(Map.of(
                "PS_DURABILITY_MODE", "journal",
                "PS_DURABILITY_LOCATION", folder.toString(),
                // A client that still waits for a version does not hold up the end.
                "SERVER_SHUTDOWN", "immediate"));
        all.putAll(settings);
        all.put("SERVER_PORT", Integer.toString(server.port()));
        StringBuilder line = new StringBuilder("start\t%d".formatted(server.port()));
        all.forEach((name, value) -> line.append("\t--%s=%s".formatted(property(name), value)));
        tell(line.toString());
        return server;
    }

    private static String property(String variable) {
        return variable.toLowerCase(Locale.ROOT).replace('_', '.');
    }

    private synchronized void tell(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
        String answer;
        do {
            // What a library prints stands between the answers.
            answer = answers.readLine();
        } while (answer != null && !answer.startsWith(ManyServers.ANSWER));
        if (answer == null || !answer.equals(ManyServers.DONE)) {
            throw new IOException("%s was answered %s".formatted(command, answer));
        }
    }

    @Override
    public void close() {
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }
}
