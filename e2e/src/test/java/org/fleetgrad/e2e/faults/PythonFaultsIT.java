package org.fleetgrad.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.fleetgrad.e2e.faults.TrainingSetup.Mode;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A worker in Python pushes beside two in Java over a bad network, while its server and it itself are killed. The oracle of {@link
 * FaultsIT} counts its gradients, too: each once, with the bits of a reference.
 */
@Order(8)
@Tag("whole")
class PythonFaultsIT {

    private static final int WORKERS_IN_JAVA = 2;
    private static final double FAULT_RATE = 0.3;
    private static final int BETWEEN = 25;
    private static final Duration LOOK = Duration.ofMillis(5);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    static Stream<TrainingSetup> setups() {
        return Stream.of(TrainingSetup.sgd(Mode.ASYNC_SHORT_LEASE), TrainingSetup.adam(Mode.SYNC));
    }

    @ParameterizedTest
    @MethodSource("setups")
    void shouldCountEachGradientOnceWhenTheServerAndTheWorkerInPythonAreKilled(TrainingSetup setup) throws Exception {
        Python.require();
        long seed = Seeds.first();
        Tally tally = new Tally();
        Gradients gradients = new Gradients(seed, setup.isGrouped());
        Acknowledgements acknowledgements = new Acknowledgements();
        Map<String, String> settings = new HashMap<>(setup.environment());
        settings.put("PS_DURABILITY_CHECKPOINTVERSIONS", "50");
        try (ServerUnderTest server = new ServerUnderTest(folder.resolve("run"), settings);
                FaultyProxy proxy = new FaultyProxy(server.port(), FAULT_RATE, seed);
                Fleet fleet = new Fleet(tally);
                HangWatch watch = new HangWatch(server.upTime(), server::threads, tally::hung)) {
            server.start();
            Object unused =
                    server.client().putInitial(TensorSet.ofFloats(Gradients.LAYOUT, gradients.initial(), Map.of()));
            URI address = proxy.address();
            fleet.start(new Fleet.Work(setup, gradients, address, watch, acknowledgements), WORKERS_IN_JAVA, seed);
            try (PythonFaultWorker python = new PythonFaultWorker(folder, address, gradients)) {
                train(server, fleet, python);
                python.acknowledgements().values().forEach(acknowledgements::add);
                assertThat(python.duplicates()).as("answers were lost").isPositive();
            }
            await().atMost(TIMEOUT).pollInterval(LOOK).until(proxy::isIdle);
            until(fleet, () -> server.client().status().buffered() == 0);
            Oracle oracle = new Oracle(setup, gradients, acknowledgements, tally);
            Oracle.Served last = oracle.check(server, "at the end");
            server.kill();
            server.start();
            assertThat(oracle.check(server, "after a restart at rest").bytes()).isEqualTo(last.bytes());
        }
        assertThat(tally.failures()).as("-Dfaults.seed=%d; %s", seed, tally).isEmpty();
    }

    private static void train(ServerUnderTest server, Fleet fleet, PythonFaultWorker python) throws Exception {
        awaitMore(fleet, python);
        python.killAndRestart();
        awaitMore(fleet, python);
        server.kill();
        server.start();
        awaitMore(fleet, python);
        fleet.finish();
        python.finish();
    }

    private static void awaitMore(Fleet fleet, PythonFaultWorker python) throws Exception {
        long wanted = python.acknowledged() + BETWEEN;
        until(fleet, () -> python.acknowledged() >= wanted);
    }

    private static void until(Fleet fleet, Callable<Boolean> condition) {
        await().atMost(TIMEOUT).pollDelay(Duration.ZERO).pollInterval(LOOK).until(() -> {
            fleet.requireWhole();
            return condition.call();
        });
    }
}
