package org.fleetgrad.benchmarks;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.cli.process.Malloc;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Starts the built programs for a measurement, with the flags that {@code fleetgrad} gives them, and ends them. */
final class Programs implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final List<String> SERVER_FLAGS = List.of("-Xmx512m", "-XX:+UseSerialGC");
    private static final List<String> WORKER_FLAGS =
            List.of("-Xmx96m", "-Xmn12m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final Path home;
    private final Path scratch;
    private final List<Process> processes = new ArrayList<>();

    Programs(Path home, Path scratch) {
        this.home = home;
        this.scratch = scratch;
    }

    /** A running parameter server. */
    record Server(URI address, PsClient client, Process process) {}

    /** A running worker. */
    record Worker(URI address, Process process) {}

    /** Starts a parameter server and waits for it. */
    Server startServer() throws IOException, InterruptedException {
        int port = freePort();
        Process process = start(
                "ps-service",
                SERVER_FLAGS,
                Map.of(
                        "SERVER_PORT", Integer.toString(port),
                        "PS_OPTIMIZER_LEARNINGRATE", "0.01",
                        "PS_OPTIMIZER_MOMENTUM", "0.9"));
        URI address = URI.create("http://127.0.0.1:" + port);
        PsClient client = new PsClient(address, ClientOptions.DEFAULT.withRetryFor(START_TIMEOUT));
        client.version();
        return new Server(address, client, process);
    }

    /** Starts a parameter server that holds LeNet-5. */
    Server startServerWithParameters() throws IOException, InterruptedException {
        Server server = startServer();
        NetworkDefinition network = Networks.named("lenet5");
        server.client().putInitial(TensorSet.ofFloats(network.spec().layout(), network.initialParameters(1), Map.of()));
        return server;
    }

    /** Starts a worker without waiting for it. */
    Worker startWorker() throws IOException {
        int port = freePort();
        Process process = start(
                "worker-action",
                WORKER_FLAGS,
                Map.of("WORKER_PORT", Integer.toString(port), "WORKER_ADDRESS", "127.0.0.1"));
        return new Worker(URI.create("http://127.0.0.1:" + port), process);
    }

    /** Starts a class of this module under a worker's flags. */
    Process startLikeWorker(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(WORKER_FLAGS);
        command.addAll(
                List.of("-cp", home.resolve("benchmarks/target/benchmarks.jar").toString(), main.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(Malloc.SETTINGS);
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private Process start(String module, List<String> flags, Map<String, String> environment) throws IOException {
        Path jar = home.resolve(module).resolve("target").resolve(module + ".jar");
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(flags);
        command.addAll(List.of("-jar", jar.toString()));
        File log = scratch.resolve(module + "-" + processes.size() + ".log").toFile();
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log);
        builder.environment().putAll(environment);
        builder.environment().putAll(Malloc.SETTINGS);
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Ends a process and waits for its end, so that the next measurement has the machine to itself. */
    static void end(Process process) throws InterruptedException {
        process.destroy();
        process.waitFor();
    }

    @Override
    public void close() {
        processes.forEach(Process::destroy);
    }
}
