package org.fleetgrad.cli.run;

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
        List<WorkerInvoker> workers) {

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
     * Starts the parameter server, the inference API and the workers; returns before they are up.
     *
     * @param variables the parameter server's settings
     */
    static Services start(
            ProcessGroup programs,
            RunSettings settings,
            Map<String, String> variables,
            Path testShard,
            Terminal terminal)
            throws IOException {
        int serverPort = Ports.preferring(SERVER_PORT);
        int inferencePort = Ports.preferring(INFERENCE_PORT);
        URI server = address(serverPort);
        Map<String, String> environment = new HashMap<>(variables);
        environment.put("SERVER_PORT", Integer.toString(serverPort));
        environment.put("SERVER_ADDRESS", "127.0.0.1");
        environment.put("PS_OPTIMIZER_LEARNINGRATE", Double.toString(settings.learningRate()));
        environment.put("PS_OPTIMIZER_MOMENTUM", Double.toString(settings.momentum()));
        ServerProcess process =
                ServerProcess.start(programs, environment, settings.server().isKeeping(), terminal::tell);
        List<WorkerInvoker> workers = new ArrayList<>();
        for (int i = 1; i <= settings.workers(); i++) {
            int port = Ports.free();
            String name = "worker-" + i;
            programs.start(
                    Program.WORKER_ACTION,
                    name,
                    Map.of("WORKER_PORT", Integer.toString(port), "WORKER_ADDRESS", "127.0.0.1"));
            workers.add(new WorkerInvoker(name, address(port), server, settings));
        }
        programs.start(
                Program.INFERENCE_API,
                "inference-api",
                Map.of(
                        "SERVER_PORT", Integer.toString(inferencePort),
                        "SERVER_ADDRESS", "127.0.0.1",
                        "INFERENCE_SERVER", server.toString(),
                        "INFERENCE_TESTSHARD", testShard.toString()));
        return new Services(
                programs,
                process,
                server,
                address(inferencePort),
                new PsClient(server, ClientOptions.DEFAULT.withRetryFor(Duration.ZERO)),
                workers);
    }

    private static URI address(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Waits until the parameter server answers and every worker is initialized. */
    void awaitUp() throws IOException, RunFailedException, InterruptedException {
        await("ps-service", client::version);
        process.up();
        for (WorkerInvoker worker : workers) {
            await("a worker", worker::init);
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
