package org.fleetgrad.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.e2e.faults.TrainingSetup.Mode;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run with checkpoints and no journal. */
@Tag("whole")
class CheckpointModeIT {

    private static final TrainingSetup SETUP = TrainingSetup.sgd(Mode.ASYNC);
    private static final int BETWEEN = 20;

    @TempDir
    private Path folder;

    private ServerUnderTest server;

    @BeforeEach
    void start() throws Exception {
        Map<String, String> settings = new HashMap<>(SETUP.environment());
        settings.put("PS_DURABILITY_MODE", "checkpoint");
        settings.put("PS_DURABILITY_CHECKPOINTVERSIONS", Integer.toString(BETWEEN));
        server = new ServerUnderTest(folder.resolve("run"), settings);
        server.start();
    }

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void shouldLoseAtMostTheStepsSinceTheLastCheckpointWhenTheServerIsKilled() throws Exception {
        SteadyWorker worker = new SteadyWorker(new Gradients(11, false));
        worker.begin(server);
        worker.push(server, 30);
        await().atMost(Duration.ofMinutes(1)).until(() -> newestCheckpoint() >= BETWEEN);
        long kept = newestCheckpoint();
        String generation = server.client().version().generation();

        server.kill();
        server.start();

        Oracle.Served served = Oracle.Served.pull(server);
        assertThat(served.version().generation()).isNotEqualTo(generation);
        assertThat(served.version().version()).isEqualTo(kept);
        assertThat(served.values()).containsExactly(worker.values(kept));
        assertThat(server.log()).contains("were not journaled and are lost: a new generation begins");
        // The worker pulls again and continues; it was registered before the checkpoint.
        assertThat(worker.push(server, worker.next())).isInstanceOf(PushResult.Applied.class);
    }

    private long newestCheckpoint() throws Exception {
        return server.log()
                .lines()
                .filter(line -> line.contains(" taken: version "))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".* taken: version (\\d+),.*", "$1")))
                .max()
                .orElse(0);
    }

    @Test
    void shouldLoseAndDoubleNothingWhenTheServerIsStoppedInOrderUnderLoad() throws Exception {
        Tally tally = new Tally();
        long seed = Seeds.first();
        Gradients gradients = new Gradients(seed, false);
        Acknowledgements acknowledgements = new Acknowledgements();
        Oracle oracle = new Oracle(SETUP, gradients, acknowledgements, tally);
        try (FaultyProxy proxy = new FaultyProxy(server.port(), 0.3, seed);
                Fleet fleet = new Fleet(tally);
                HangWatch watch = new HangWatch(server.upTime(), server::threads, tally::hung)) {
            Object unused =
                    server.client().putInitial(TensorSet.ofFloats(Gradients.LAYOUT, gradients.initial(), Map.of()));
            fleet.start(new Fleet.Work(SETUP, gradients, proxy.address(), watch, acknowledgements), 4, seed);
            await().atMost(Duration.ofMinutes(1)).until(() -> acknowledgements.count() > 100);

            int status = server.terminate();
            server.start();

            long before = acknowledgements.count();
            await().atMost(Duration.ofMinutes(1)).until(() -> acknowledgements.count() > before + 10);
            fleet.hold();
            await().atMost(Duration.ofMinutes(1)).until(proxy::isIdle);
            oracle.check(server, "after SIGTERM");
            assertThat(status).isEqualTo(ServerUnderTest.ENDED_BY_SIGTERM);
        }
        assertThat(tally.failures()).as("-Dfaults.seed=%d; %s", seed, tally).isEmpty();
    }
}
