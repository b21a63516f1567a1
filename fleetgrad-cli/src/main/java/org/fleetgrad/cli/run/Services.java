package org.fleetgrad.cli.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.cli.process.Ports;
import org.fleetgrad.cli.process.ProcessGroup;
import org.fleetgrad.cli.process.Program;
import org.fleetgrad.cli.process.ProgramProcess;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;

/**
 * The programs of a run and how to reach them.
 *
 * @param server    the parameter server's address
 * @param inference the inference API's address
 * @param client    speaks to the parameter server
 * @param workers   invoke one worker each
 */
record Services(URI server, URI inference, PsClient client, List<WorkerInvoker> workers) {

    private static final int SERVER_PORT = 29500;
    private static final int INFERENCE_PORT = 29600;
    private static final Duration START_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration POLL = Duration.ofMillis(50);

    /** A question whether a program is up; an {@link IOException} means not yet. */
    @FunctionalInterface
    private interface Probe {
        void ask() throws IOException, InterruptedException;
    }

    /** Starts the parameter server, the inference API and the workers; returns before they are up. */
    static Services start(ProcessGroup programs, RunSettings settings, Path testShard) throws IOException {
        int serverPort = Ports.preferring(SERVER_PORT);
        int inferencePort = Ports.preferring(INFERENCE_PORT);
        URI server = address(serverPort);
        programs.start(
                Program.PS_SERVICE,
                "ps-service",
                Map.of(
                        "SERVER_PORT", Integer.toString(serverPort),
                        "PS_MODE", settings.mode().setting(),
                        "PS_OPTIMIZER_LEARNINGRATE", Double.toString(settings.learningRate()),
                        "PS_OPTIMIZER_MOMENTUM", Double.toString(settings.momentum())));
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
                server,
                address(inferencePort),
                new PsClient(server, ClientOptions.DEFAULT.withRetryFor(Duration.ZERO)),
                workers);
    }

    private static URI address(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Waits until the parameter server answers and every worker is initialized. */
    void awaitUp(ProcessGroup programs) throws RunFailedException, InterruptedException {
        await(programs, "ps-service", client::version);
        for (WorkerInvoker worker : workers) {
            await(programs, "a worker", worker::init);
        }
    }

    private static void await(ProcessGroup programs, String what, Probe probe)
            throws RunFailedException, InterruptedException {
        long end = System.nanoTime() + START_TIMEOUT.toNanos();
        while (true) {
            requireAlive(programs);
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

    /** Fails the run where a program has ended by itself. */
    static void requireAlive(ProcessGroup programs) throws RunFailedException {
        Optional<ProgramProcess> ended = programs.anyEnded();
        if (ended.isPresent()) {
            throw RunFailedException.remote(ended.get().describeEnd());
        }
    }
}
