package org.fleetgrad.cli.services;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.cli.display.Terminal;
import org.fleetgrad.cli.failure.CommandFailedException;
import org.fleetgrad.cli.invoker.Invoker;
import org.fleetgrad.cli.place.RunKeys;
import org.fleetgrad.cli.place.WorkerPlace;
import org.fleetgrad.cli.process.Ports;
import org.fleetgrad.cli.process.ProcessGroup;
import org.fleetgrad.cli.process.Program;
import org.fleetgrad.cli.process.ProgramProcess;
import org.fleetgrad.cli.settings.RunSettings;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.ServerAddresses;

/**
 * The programs of a run and how to reach them. Belongs to the thread that watches the run.
 *
 * @param programs  what was started
 * @param processes the parameter servers
 * @param servers   their addresses
 * @param inference the inference API's address
 * @param client    speaks to the parameter servers
 * @param workers   invoke one worker each
 */
public record Services(
        ProcessGroup programs,
        ServerGroup processes,
        ServerAddresses servers,
        URI inference,
        ParameterServers client,
        List<? extends Invoker> workers) {

    private static final String LOOPBACK = "127.0.0.1";
    private static final int SERVER_PORT = 29500;
    private static final int INFERENCE_PORT = 29600;
    private static final Duration START_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration POLL = Duration.ofMillis(50);

    /** A call that a program may not be ready for; an {@link IOException} means not yet. */
    @FunctionalInterface
    private interface Probe {
        void ask() throws IOException, InterruptedException;
    }

    /** A call of the parameter server, the lead of several. */
    @FunctionalInterface
    public interface Call<T> {
        T of(PsClient client) throws IOException;
    }

    /** A call of all parameter servers. */
    @FunctionalInterface
    public interface CallOfAll<T> {
        T of(ParameterServers servers) throws IOException;
    }

    /**
     * Starts the parameter servers, the inference API and the workers of the beginning; returns before they are up.
     *
     * @param variables each parameter server's settings
     */
    public static Services start(
            ProcessGroup programs,
            RunSettings settings,
            List<Map<String, String>> variables,
            Path testShard,
            WorkerPlace place,
            Terminal terminal)
            throws IOException {
        int inferencePort = Ports.preferring(INFERENCE_PORT);
        Optional<RunKeys> keys = place.keys();
        List<URI> addresses = new ArrayList<>();
        List<Map<String, String>> environments = new ArrayList<>();
        for (Map<String, String> own : variables) {
            int port = addresses.isEmpty() ? Ports.preferring(SERVER_PORT) : Ports.free();
            addresses.add(URI.create("http://%s:%d".formatted(place.serverAddress(), port)));
            environments.add(environment(own, settings, place, port));
        }
        ServerAddresses servers = new ServerAddresses(addresses);
        ServerGroup processes =
                ServerGroup.start(programs, environments, settings.server().isKeeping(), terminal::tell);
        List<? extends Invoker> workers = place.workers(settings, servers);
        for (Invoker worker : workers.subList(0, settings.workersAtFirst())) {
            worker.start();
        }
        Map<String, String> inference = new HashMap<>(Map.of(
                "SERVER_PORT", Integer.toString(inferencePort),
                "SERVER_ADDRESS", LOOPBACK,
                "INFERENCE_SERVER", servers.toString(),
                "INFERENCE_TESTSHARD", testShard.toString()));
        keys.ifPresent(drawn -> inference.putAll(drawn.ofInference()));
        programs.start(Program.INFERENCE_API, "inference-api", inference);
        ParameterServers client = ParameterServers.of(
                addresses.stream().map(address -> client(address, keys)).toList());
        return new Services(
                programs,
                processes,
                servers,
                URI.create("http://%s:%d".formatted(LOOPBACK, inferencePort)),
                client,
                workers);
    }

    private static Map<String, String> environment(
            Map<String, String> variables, RunSettings settings, WorkerPlace place, int port) {
        Map<String, String> environment = new HashMap<>(variables);
        environment.put("SERVER_PORT", Integer.toString(port));
        environment.put("SERVER_ADDRESS", place.serverAddress());
        environment.put("PS_OPTIMIZER_LEARNINGRATE", Double.toString(settings.learningRate()));
        environment.put("PS_OPTIMIZER_MOMENTUM", Double.toString(settings.momentum()));
        place.serverDefaults().forEach(environment::putIfAbsent);
        place.keys().ifPresent(drawn -> environment.putAll(drawn.ofServer()));
        return environment;
    }

    private static PsClient client(URI address, Optional<RunKeys> keys) {
        PsClient client = new PsClient(address, ClientOptions.DEFAULT.withRetryFor(Duration.ZERO));
        return keys.map(drawn -> client.withCredentials(drawn.operator())).orElse(client);
    }

    /** Waits until the parameter server answers and the first {@code size} workers are ready. */
    public void awaitUp(int size) throws IOException, CommandFailedException, InterruptedException {
        for (PsClient server : client.all()) {
            await("ps-service", server::version);
        }
        processes.up();
        for (Invoker worker : workers.subList(0, size)) {
            worker.await();
        }
    }

    private void await(String what, Probe probe) throws IOException, CommandFailedException, InterruptedException {
        long end = System.nanoTime() + START_TIMEOUT.toNanos();
        while (true) {
            requireAlive();
            try {
                probe.ask();
                return;
            } catch (IOException notYet) {
                if (System.nanoTime() > end) {
                    throw CommandFailedException.remote(
                            "%s is not up after %s: %s".formatted(what, START_TIMEOUT, notYet.getMessage()));
                }
            }
            Thread.sleep(POLL.toMillis());
        }
    }

    /** Asks the parameter server, and asks again while it is started again. */
    public <T> T ask(Call<T> call) throws IOException, CommandFailedException, InterruptedException {
        return askAll(all -> call.of(all.lead()));
    }

    /** Asks all parameter servers, and asks again while one is started again. */
    public <T> T askAll(CallOfAll<T> call) throws IOException, CommandFailedException, InterruptedException {
        long end = System.nanoTime() + START_TIMEOUT.toNanos();
        while (true) {
            requireAlive();
            try {
                return call.of(client);
            } catch (IOException away) {
                if (!processes.canComeBack() || System.nanoTime() > end) {
                    throw away;
                }
            }
            Thread.sleep(POLL.toMillis());
        }
    }

    /** Starts the parameter server again where it died and can go on; fails the run where a program has ended for good. */
    void requireAlive() throws IOException, CommandFailedException {
        processes.revive();
        Optional<ProgramProcess> ended = programs.anyEnded();
        if (ended.isPresent()) {
            throw CommandFailedException.remote(ended.get().describeEnd());
        }
    }

    /** Returns how often a parameter server was started again. */
    public int restarts() {
        return processes.restarts();
    }
}
