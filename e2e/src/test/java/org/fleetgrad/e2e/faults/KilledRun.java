package org.fleetgrad.e2e.faults;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.RepositoryRoot;

/** One run under load, over a bad network, whose server is killed again and again. */
final class KilledRun {

    private static final int WORKERS = 5;
    private static final double FAULT_RATE = 0.3;
    private static final Duration LOOK = Duration.ofMillis(3);
    private static final int MOST_BETWEEN_KILLS = 200;
    private static final int CHECKED_EVERY = 2;
    private static final long STOPPED_NANOS = TimeUnit.MILLISECONDS.toNanos(1300);

    private final TrainingSetup setup;
    private final int kills;
    private final long seed;
    private final Random random;
    private final Tally tally;
    private final Gradients gradients;
    private final Acknowledgements acknowledgements = new Acknowledgements();

    /** @param kills number of kills of the server while its workers push */
    KilledRun(TrainingSetup setup, int kills, long seed, Tally tally) {
        this.setup = setup;
        this.kills = kills;
        this.seed = seed;
        this.random = new Random(seed);
        this.tally = tally;
        this.gradients = new Gradients(seed, setup.isGrouped());
    }

    /** Runs. Failures go to the tally; then the folder with the server's log is kept. */
    void run() throws IOException, InterruptedException {
        Path folder = RepositoryRoot.path().resolve("e2e/target/faults").resolve(setup.name() + "-" + seed);
        // Left by an earlier run that failed.
        delete(folder);
        try (ServerUnderTest server = new ServerUnderTest(folder, settings());
                FaultyProxy proxy = new FaultyProxy(server.port(), FAULT_RATE, seed);
                Fleet fleet = new Fleet(tally);
                HangWatch watch = new HangWatch(server.upTime(), server::threads, what -> {
                    tally.hung(what);
                    fleet.fail();
                })) {
            server.start();
            Object unused =
                    server.client().putInitial(TensorSet.ofFloats(Gradients.LAYOUT, gradients.initial(), Map.of()));
            fleet.start(new Fleet.Work(setup, gradients, proxy.address(), watch, acknowledgements), WORKERS, seed);
            train(server, proxy, fleet);
        } catch (IOException | RuntimeException | AssertionError failed) {
            tally.failed(
                    "the run %s of seed %d ended with %s; its folder is %s".formatted(setup, seed, failed, folder));
        } finally {
            tally.acknowledged(acknowledgements.count());
        }
        if (tally.failures().isEmpty()) {
            delete(folder);
        }
    }

    /** Takes checkpoints often, so that kills hit them too. */
    private Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(setup.environment());
        settings.put("PS_DURABILITY_CHECKPOINTVERSIONS", Integer.toString(20 + random.nextInt(60)));
        settings.put("PS_DURABILITY_CHECKPOINTINTERVAL", "2s");
        settings.put("PS_DURABILITY_JOURNALSIZE", "256KB");
        return settings;
    }

    private void train(ServerUnderTest server, FaultyProxy proxy, Fleet fleet)
            throws IOException, InterruptedException {
        Oracle oracle = new Oracle(setup, gradients, acknowledgements, tally);
        for (int kill = 1; kill <= kills; kill++) {
            awaitAcknowledged(server, fleet, 1 + random.nextInt(MOST_BETWEEN_KILLS));
            if (random.nextInt(3) == 0) {
                server.freeze();
                LockSupport.parkNanos(STOPPED_NANOS);
                server.thaw();
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(20_000)));
            kill(server);
            if (random.nextInt(4) == 0) {
                // Kills the server once more, while it recovers.
                server.launch();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500 + random.nextInt(2500)));
                kill(server);
            }
            server.start();
            if (kill % CHECKED_EVERY == 0) {
                hold(fleet, proxy);
                oracle.check(server, "after kill %d".formatted(kill));
                fleet.release();
            }
        }
        awaitAcknowledged(server, fleet, WORKERS);
        fleet.finish();
        awaitIdle(proxy);
        awaitNothingPending(server);
        Oracle.Served last = oracle.check(server, "at the end");
        if (random.nextBoolean()) {
            kill(server);
        } else {
            terminate(server);
        }
        server.start();
        requireSame(last, oracle.check(server, "after a restart at rest"));
    }

    private void terminate(ServerUnderTest server) throws IOException, InterruptedException {
        int status = server.terminate();
        if (status != ServerUnderTest.ENDED_BY_SIGTERM) {
            tally.failed("the server ended with %d after SIGTERM".formatted(status));
        }
    }

    private void kill(ServerUnderTest server) throws InterruptedException {
        server.kill();
        tally.killed();
    }

    private void requireSame(Oracle.Served before, Oracle.Served after) {
        if (!before.etag().equals(after.etag()) || !Arrays.equals(before.bytes(), after.bytes())) {
            tally.failed(
                    "a restart turned %s into %s, or its bytes into others".formatted(before.etag(), after.etag()));
        }
    }

    private void hold(Fleet fleet, FaultyProxy proxy) throws InterruptedException {
        fleet.hold();
        awaitIdle(proxy);
    }

    private void awaitAcknowledged(ServerUnderTest server, Fleet fleet, long more) {
        long wanted = acknowledgements.count() + more;
        awaitThat(server, "%d more acknowledgements".formatted(more), () -> {
            fleet.requireWhole();
            return acknowledgements.count() >= wanted;
        });
    }

    private static void awaitIdle(FaultyProxy proxy) {
        await().atMost(Duration.ofMinutes(1))
                .pollDelay(Duration.ZERO)
                .pollInterval(LOOK)
                .until(proxy::isIdle);
    }

    private void awaitNothingPending(ServerUnderTest server) {
        awaitThat(server, "the last step", () -> server.client().status().buffered() == 0);
    }

    private void awaitThat(ServerUnderTest server, String what, Callable<Boolean> condition) {
        Duration begin = server.upTime().total();
        await().atMost(Duration.ofMinutes(5))
                .pollDelay(Duration.ZERO)
                .pollInterval(LOOK)
                .until(() -> {
                    if (server.upTime().total().minus(begin).compareTo(HangWatch.BOUND.multipliedBy(2)) > 0) {
                        tally.hung("waited for %s; the server waits at%n%s".formatted(what, server.threads()));
                        throw new Fleet.BrokenException();
                    }
                    return condition.call();
                });
    }

    private static void delete(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolveSibling(folder.getFileName() + ".log"));
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }
}
