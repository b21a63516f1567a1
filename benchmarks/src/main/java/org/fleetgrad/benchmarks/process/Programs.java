package org.fleetgrad.benchmarks.process;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.runs.process.Malloc;
import org.fleetgrad.runs.process.Program;
import org.fleetgrad.runs.process.ProgramFolder;

/** Starts the built programs for a measurement, like {@code fleetgrad} does, and stops them. Thread-safe. */
public final class Programs implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final long PATIENCE_SECONDS = 10;

    private final Path home;
    private final Path scratch;
    private final List<Process> processes = new CopyOnWriteArrayList<>();
    private final AtomicInteger logs = new AtomicInteger();
    private volatile long parameterBytes;
    private final Thread hook = new Thread(() -> processes.forEach(Process::destroyForcibly), "end-programs");

    /**
     * @param home    folder of the checkout
     * @param scratch folder for the programs' logs
     */
    public Programs(Path home, Path scratch) {
        this.home = home;
        this.scratch = scratch;
        // Stops the programs after Ctrl-C too.
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** A running parameter server. */
    public record Server(URI address, PsClient client, Process process) {

        /** Returns its parameters. */
        public TensorSet parameters() throws IOException {
            if (!(client.pull() instanceof PullResult.Pulled pulled)) {
                throw new IOException("the server has no parameters after training");
            }
            return pulled.parameters();
        }
    }

    /** A running worker. */
    public record Worker(URI address, Process process) {}

    /** A running worker, and where it answers predictions. */
    public record ServingWorker(Worker worker, URI answers) {}

    /** A running program that answers predictions. */
    public record Answering(URI address, Process process) {}

    /** Gives the programs that start from now on a heap for parameter sets of so many bytes. */
    public void makeRoomFor(long bytes) {
        parameterBytes = bytes;
    }

    /** Starts a parameter server with SGD's usual settings and waits for it. */
    public Server startServer() throws IOException, InterruptedException {
        return startServer(Map.of());
    }

    /** Starts a parameter server and waits for it; {@code settings} are environment variables. */
    public Server startServer(Map<String, String> settings) throws IOException, InterruptedException {
        Server server = launchServer(settings);
        server.client().version();
        return server;
    }

    /** Starts a parameter server without waiting for it; its client retries until the server is ready. */
    public Server launchServer(Map<String, String> settings) throws IOException {
        int port = freePort();
        Map<String, String> environment = new HashMap<>();
        environment.put("SERVER_PORT", Integer.toString(port));
        environment.put("PS_OPTIMIZER_LEARNINGRATE", "0.01");
        environment.put("PS_OPTIMIZER_MOMENTUM", "0.9");
        environment.putAll(settings);
        Process process = start(Program.PS_SERVICE, environment);
        URI address = URI.create("http://127.0.0.1:" + port);
        return new Server(address, new PsClient(address, ClientOptions.DEFAULT.withRetryFor(START_TIMEOUT)), process);
    }

    /** Starts a parameter server with LeNet-5's parameters. */
    public Server startServerWithParameters() throws IOException, InterruptedException {
        return startServerWithParameters(Map.of());
    }

    /** Starts a parameter server with LeNet-5's parameters. */
    public Server startServerWithParameters(Map<String, String> settings) throws IOException, InterruptedException {
        Server server = startServer(settings);
        putParameters(server);
        return server;
    }

    /** Puts LeNet-5's parameters to a server. */
    public static void putParameters(Server server) throws IOException {
        putParameters(server, Networks.usual("lenet5"));
    }

    /** Puts a network's initial parameters to a server. */
    public static void putParameters(Server server, NetworkDefinition network) throws IOException {
        server.client()
                .putInitial(TensorSet.ofFloats(
                        network.spec().layout(),
                        network.initialParameters(1),
                        network.spec().metadata()));
    }

    /** Starts a worker without waiting for it. */
    public Worker startWorker() throws IOException {
        return startWorker(Map.of());
    }

    /** Starts a worker without waiting for it; {@code settings} are environment variables. */
    public Worker startWorker(Map<String, String> settings) throws IOException {
        int port = freePort();
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("WORKER_PORT", Integer.toString(port));
        environment.put("WORKER_ADDRESS", "127.0.0.1");
        return new Worker(at(port), start(Program.WORKER_ACTION, environment));
    }

    /**
     * Starts a worker that answers predictions while it trains, without waiting for it.
     *
     * @param mode as {@code --serve-mode} names it
     */
    public ServingWorker startServingWorker(String mode) throws IOException {
        int port = freePort();
        Worker worker = startWorker(Map.of("WORKER_SERVE", Integer.toString(port), "WORKER_SERVE_MODE", mode));
        return new ServingWorker(worker, at(port));
    }

    /** Starts an inference API of a parameter server, without waiting for it, and returns its address. */
    public URI startInference(Server server) throws IOException {
        return startInference(server, Map.of()).address();
    }

    /** Starts an inference API without waiting for it; {@code settings} are environment variables. */
    public Answering startInference(Server server, Map<String, String> settings) throws IOException {
        int port = freePort();
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("SERVER_PORT", Integer.toString(port));
        environment.put("INFERENCE_SERVER", server.address().toString());
        return new Answering(at(port), start(Program.INFERENCE_API, environment));
    }

    /** Starts {@code fleetgrad ensemble} over a server's workers, without waiting for it. */
    public Answering startEnsemble(Server server) throws IOException {
        int port = freePort();
        String words = "ensemble --server %s --port %d --timeout 10s".formatted(server.address(), port);
        return new Answering(at(port), startFleetgrad("ensemble", List.of(words.split(" "))));
    }

    /** Starts {@code fleetgrad}, as its script does, with these words. */
    public Process startFleetgrad(String name, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dfleetgrad.home=" + home,
                ProgramFolder.flag(home),
                "-jar",
                ProgramFolder.jar(home, "fleetgrad-cli").toString()));
        command.addAll(words);
        return startOther(name, command, Map.of());
    }

    private static URI at(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Starts a class of this module with a worker's flags. */
    public LineProcess startLikeWorker(Class<?> main, String... arguments) throws IOException {
        List<String> command = Program.WORKER_ACTION.commandLike(
                parameterBytes, "-cp", ProgramFolder.jar(home, "benchmarks").toString(), main.getName());
        command.addAll(List.of(arguments));
        return new LineProcess(main.getSimpleName(), startOther(main.getSimpleName(), command, Malloc.SETTINGS));
    }

    /** Starts another program, with its stderr in a log; {@code settings} are environment variables. */
    public Process startOther(String name, List<String> command, Map<String, String> settings) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log(name));
        builder.environment().putAll(settings);
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private File log(String name) {
        return scratch.resolve(name + "-" + logs.incrementAndGet() + ".log").toFile();
    }

    private Process start(Program program, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(program.command(home, parameterBytes))
                .redirectErrorStream(true)
                .redirectOutput(log(program.module()));
        builder.environment().putAll(environment);
        builder.environment().putAll(Malloc.SETTINGS);
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    /** Returns a port on which nothing listens. */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Stops a process and waits for its end, so that the next measurement has the machine for itself. */
    public static void end(Process process) throws InterruptedException {
        process.destroy();
        process.waitFor();
    }

    /** Kills a process as {@code kill -9} does, and waits for its end. */
    public static void kill(Process process) throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        processes.forEach(Process::destroy);
        // The next measurement needs the machine for itself: kills processes that do not stop when asked.
        for (Process process : processes) {
            try {
                if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                process.destroyForcibly();
            }
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The JVM is shutting down: the hook itself is running.
        }
    }
}
