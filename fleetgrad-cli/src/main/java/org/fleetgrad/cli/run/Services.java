package org.fleetgrad.cli.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.cli.display.Terminal;
import org.fleetgrad.cli.process.Ports;
import org.fleetgrad.cli.process.ProcessGroup;
import org.fleetgrad.cli.process.Program;
import org.fleetgrad.cli.process.ProgramProcess;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;

/**
 * The programs of a run and how to reach them. Belongs to the thread that watches the run.
 *
 * @param programs  what was started
 * @param process   the parameter server
 * @param server    its address
 * @param inference the inference API's address
 * @param client    speaks to the parameter server
 * @param workers   invoke one worker each
 */
record Services(
        ProcessGroup programs,
        ServerProcess process,
        URI server,
        URI inference,
        PsClient client,
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

    /** A call of the parameter server. */
    @FunctionalInterface
    interface Call<T> {
        T of(PsClient client) throws IOException;
    }

    /**
     * Starts the parameter server, the inference API and the workers of the beginning; returns before they are up.
     *
     * @param variables the parameter server's settings
     */
    static Services start(
            ProcessGroup programs,
            RunSettings settings,
            Map<String, String> variables,
            Path testShard,
            WorkerPlace place,
            Terminal terminal)
            throws IOException {
        int serverPort = Ports.preferring(SERVER_PORT);
        int inferencePort = Ports.preferring(INFERENCE_PORT);
        URI server = URI.create("http://%s:%d".formatted(place.serverAddress(), serverPort));
        Optional<RunKeys> keys = place.keys();
        Map<String, String> environment = new HashMap<>(variables);
        environment.put("SERVER_PORT", Integer.toString(serverPort));
        environment.put("SERVER_ADDRESS", place.serverAddress());
        environment.put("PS_OPTIMIZER_LEARNINGRATE", Double.toString(settings.learningRate()));
        environment.put("PS_OPTIMIZER_MOMENTUM", Double.toString(settings.momentum()));
        place.serverDefaults().forEach(environment::putIfAbsent);
        keys.ifPresent(drawn -> environment.putAll(drawn.ofServer()));
        ServerProcess process =
                ServerProcess.start(programs, environment, settings.server().isKeeping(), terminal::tell);
        List<? extends Invoker> workers = place.workers(settings, server);
        for (Invoker worker : workers.subList(0, settings.workersAtFirst())) {
            worker.start();
        }
        Map<String, String> inference = new HashMap<>(Map.of(
                "SERVER_PORT", Integer.toString(inferencePort),
                "SERVER_ADDRESS", LOOPBACK,
                "INFERENCE_SERVER", server.toString(),
                "INFERENCE_TESTSHARD", testShard.toString()));
        keys.ifPresent(drawn -> inference.putAll(drawn.ofInference()));
        programs.start(Program.INFERENCE_API, "inference-api", inference);
        PsClient client = new PsClient(server, ClientOptions.DEFAULT.withRetryFor(Duration.ZERO));
        return new Services(
                programs,
                process,
                server,
                URI.create("http://%s:%d".formatted(LOOPBACK, inferencePort)),
                keys.map(drawn -> client.withCredentials(drawn.operator())).orElse(client),
                workers);
    }

    /** Waits until the parameter server answers and the first {@code size} workers are ready. */
    void awaitUp(int size) throws IOException, RunFailedException, InterruptedException {
        await("ps-service", client::version);
        process.up();
        for (Invoker worker : workers.subList(0, size)) {
            worker.await();
        }
    }

    private void await(String what, Probe probe) throws IOException, RunFailedException, InterruptedException {
        long end = System.nanoTime() + START_TIMEOUT.toNanos();
        while (true) {
            requireAlive();
            try {
                probe.ask();
                return;
            } catch (IOException notYet) {
                if (System.nanoTime() > end) {
                    throw RunFailedException.remote(
                            "%s is not up after %s: %s".formatted(what, START_TIMEOUT, notYet.getMessage()));
                }
            }
            Thread.sleep(POLL.toMillis());
        }
    }

    /** Asks the parameter server, and asks again while it is started again. */
    <T> T ask(Call<T> call) throws IOException, RunFailedException, InterruptedException {
        long end = System.nanoTime() + START_TIMEOUT.toNanos();
        while (true) {
            requireAlive();
            try {
                return call.of(client);
            } catch (IOException away) {
                if (!process.canComeBack() || System.nanoTime() > end) {
                    throw away;
                }
            }
            Thread.sleep(POLL.toMillis());
        }
    }

    /** Starts the parameter server again where it died and can go on; fails the run where a program has ended for good. */
    void requireAlive() throws IOException, RunFailedException {
        process.revive();
        Optional<ProgramProcess> ended = programs.anyEnded();
        if (ended.isPresent()) {
            throw RunFailedException.remote(ended.get().describeEnd());
        }
    }
}
