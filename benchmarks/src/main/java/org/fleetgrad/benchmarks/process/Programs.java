package org.fleetgrad.benchmarks.process;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
import org.fleetgrad.files.FolderTree;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.runs.process.Malloc;
import org.fleetgrad.runs.process.Ports;
import org.fleetgrad.runs.process.Program;
import org.fleetgrad.runs.process.ProgramFolder;

/** Starts the built programs as {@code fleetgrad} does, and stops them. Its folder is deleted with it. Thread-safe. */
public final class Programs implements AutoCloseable {

    public static final Path HOME =
            Path.of(System.getProperty("fleetgrad.home", ".")).toAbsolutePath().normalize();

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final long PATIENCE_SECONDS = 10;

    private final Path folder = Files.createTempDirectory("fleetgrad-benchmarks");
    private final List<Process> processes = new CopyOnWriteArrayList<>();
    private final AtomicInteger logs = new AtomicInteger();
    private volatile long parameterBytes;
    private final Thread hook = new Thread(this::abort, "end-programs");

    /** Creates the folder in the system's place for temporary files. */
    public Programs() throws IOException {
        // Ctrl-C is a usual end of a long measurement.
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Returns the folder for logs and other files of a measurement. */
    public Path folder() {
        return folder;
    }

    private void abort() {
        processes.forEach(Process::destroyForcibly);
        try {
            FolderTree.delete(folder);
        } catch (IOException busy) {
            // Programs that are being stopped may still write.
            System.err.println("left behind: " + folder);
        }
    }

    public record Server(URI address, PsClient client, Process process) {

        public TensorSet parameters() throws IOException {
            if (!(client.pull() instanceof PullResult.Pulled pulled)) {
                throw new IOException("the server has no parameters after training");
            }
            return pulled.parameters();
        }

        /** Puts a network's initial parameters. */
        public void putParameters(NetworkDefinition network) throws IOException {
            client.putInitial(TensorSet.ofFloats(
                    network.spec().layout(),
                    network.initialParameters(1),
                    network.spec().metadata()));
        }
    }

    /** A running worker, or a running program that answers predictions. */
    public record Running(URI address, Process process) {}

    /** Gives the programs that start from now on a heap for parameter sets of so many bytes. */
    public void makeRoomFor(long bytes) {
        parameterBytes = bytes;
    }

    /**
     * Starts a parameter server with SGD's usual settings and waits for it; {@code settings} are environment variables.
     */
    public Server startServer(Map<String, String> settings) throws IOException {
        Server server = launchServer(settings);
        server.client().version();
        return server;
    }

    /** Starts a parameter server without waiting for it; its client retries until the server is ready. */
    public Server launchServer(Map<String, String> settings) throws IOException {
        int port = Ports.free();
        Map<String, String> environment = new HashMap<>();
        environment.put("SERVER_PORT", Integer.toString(port));
        environment.put("PS_LEARNINGRATE", "0.01");
        environment.put("PS_OPTIMIZER", "sgd:momentum=0.9");
        environment.putAll(settings);
        Process process = start(Program.PS_SERVICE, environment);
        URI address = at(port);
        return new Server(address, new PsClient(address, ClientOptions.DEFAULT.withRetryFor(START_TIMEOUT)), process);
    }

    /** Starts a parameter server with LeNet-5's parameters. */
    public Server startServerWithParameters() throws IOException {
        return startServerWithParameters(Map.of());
    }

    /** Starts a parameter server with LeNet-5's parameters. */
    public Server startServerWithParameters(Map<String, String> settings) throws IOException {
        Server server = startServer(settings);
        server.putParameters(Networks.usual("lenet5"));
        return server;
    }

    /** Starts a worker without waiting for it; {@code settings} are environment variables. */
    public Running startWorker(Map<String, String> settings) throws IOException {
        int port = Ports.free();
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("WORKER_PORT", Integer.toString(port));
        environment.put("WORKER_ADDRESS", "127.0.0.1");
        return new Running(at(port), start(Program.WORKER_ACTION, environment));
    }

    /** Starts an inference API of a server without waiting for it; {@code settings} are environment variables. */
    public Running startInference(Server server, Map<String, String> settings) throws IOException {
        int port = Ports.free();
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("SERVER_PORT", Integer.toString(port));
        environment.put("INFERENCE_SERVER", server.address().toString());
        return new Running(at(port), start(Program.INFERENCE_API, environment));
    }

    /** Starts {@code fleetgrad ensemble} over a server's workers, without waiting for it. */
    public Running startEnsemble(Server server) throws IOException {
        int port = Ports.free();
        String words = "ensemble --server %s --port %d --timeout 10s".formatted(server.address(), port);
        return new Running(at(port), startFleetgrad("ensemble", List.of(words.split(" "))));
    }

    /** Starts {@code fleetgrad}, as its script does, with these words. */
    public Process startFleetgrad(String name, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC"));
        command.addAll(List.of(Program.LATE_C2.split(" ")));
        command.addAll(List.of(
                "-Dfleetgrad.home=" + HOME,
                ProgramFolder.flag(HOME),
                "-jar",
                ProgramFolder.jar(HOME, "fleetgrad-cli").toString()));
        command.addAll(words);
        return startOther(name, command, Map.of());
    }

    public static URI at(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Starts a class of this module with a worker's flags. */
    public LineProcess startLikeWorker(Class<?> main, String... arguments) throws IOException {
        return startLikeWorker(main, Map.of(), arguments);
    }

    /** Starts a class of this module with a worker's flags; {@code settings} are environment variables. */
    public LineProcess startLikeWorker(Class<?> main, Map<String, String> settings, String... arguments)
            throws IOException {
        Map<String, String> environment = new HashMap<>(Malloc.settings(parameterBytes));
        environment.putAll(settings);
        List<String> command = Program.WORKER_ACTION.commandLike(
                parameterBytes, "-cp", ProgramFolder.jar(HOME, "benchmarks").toString(), main.getName());
        command.addAll(List.of(arguments));
        return new LineProcess(main.getSimpleName(), startOther(main.getSimpleName(), command, environment));
    }

    /** Starts another program, with its stderr in a log; {@code settings} are environment variables. */
    public Process startOther(String name, List<String> command, Map<String, String> settings) throws IOException {
        return start(new ProcessBuilder(command).redirectError(log(name)), settings);
    }

    private Process start(Program program, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(program.command(HOME, parameterBytes))
                .redirectErrorStream(true)
                .redirectOutput(log(program.module()));
        builder.environment().putAll(Malloc.settings(parameterBytes));
        return start(builder, environment);
    }

    private Process start(ProcessBuilder builder, Map<String, String> environment) throws IOException {
        builder.environment().putAll(environment);
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private File log(String name) {
        return folder.resolve(name + "-" + logs.incrementAndGet() + ".log").toFile();
    }

    /** Runs a command and returns its output, without the last line end. */
    public static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException("%s ended with exit code %d".formatted(String.join(" ", command), status));
        }
        return out.stripTrailing();
    }

    /** Runs a command, drops its output, and returns whether it succeeded; throws if there is no such command. */
    public static boolean succeeds(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    /** Stops a process and waits for its end, so that the next measurement has the machine for itself. */
    public static void end(Process process) throws InterruptedException {
        process.destroy();
        process.waitFor();
    }

    @Override
    public void close() throws IOException {
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
        FolderTree.delete(folder);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The JVM is shutting down: the hook itself is running.
        }
    }
}
