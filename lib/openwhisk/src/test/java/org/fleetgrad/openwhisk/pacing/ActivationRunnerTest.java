package org.fleetgrad.openwhisk.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.openwhisk.ActionDefinition;
import org.fleetgrad.openwhisk.ActionDefinition.ActionLimits;
import org.fleetgrad.openwhisk.ActivationEnd;
import org.fleetgrad.openwhisk.NamespaceLimits;
import org.fleetgrad.openwhisk.OpenWhiskClient;
import org.fleetgrad.openwhisk.OpenWhiskEnvironment;
import org.fleetgrad.openwhisk.OpenWhiskException;
import org.fleetgrad.openwhisk.fake.FakeOpenWhisk;
import org.fleetgrad.openwhisk.fake.FakeSettings;
import org.fleetgrad.openwhisk.fake.Fault;
import org.fleetgrad.openwhisk.fake.ScriptedAction;
import org.fleetgrad.openwhisk.pacing.ActivationRunner.Timeouts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ActivationRunnerTest {

    private static final Timeouts TIMEOUTS = new Timeouts(Duration.ofMinutes(10), Duration.ofMinutes(10));

    private final VirtualTime time = new VirtualTime();
    private final List<String> started = new ArrayList<>();
    private ScriptedAction action;
    private FakeOpenWhisk openwhisk;
    private OpenWhiskClient client;
    private ActivationRunner runner;

    @BeforeEach
    void start() throws Exception {
        action = ScriptedAction.running(body -> ScriptedAction.Answer.ok("{\"n\":%s}".formatted(body.at("/value/n"))));
        start(FakeSettings.STANDALONE);
    }

    private void start(FakeSettings settings) throws Exception {
        openwhisk = new FakeOpenWhisk(settings.withClock(time.clock()), action);
        client = OpenWhiskEnvironment.read(openwhisk.environment()).client();
        client.putAction(ActionDefinition.of("worker", "image", ActionLimits.DEFAULT));
        runner = runner(client.limits());
    }

    private ActivationRunner runner(NamespaceLimits limits) {
        Throttle throttle = new Throttle(limits, time.clock(), time, new Random(1), line -> {});
        return new ActivationRunner(client, throttle, time.clock(), this::sleep, new Random(2));
    }

    /** The fake controller runs in real time: its threads need a moment while the simulated clock runs ahead. */
    private void sleep(Duration duration) {
        time.sleep(duration);
        Thread.onSpinWait();
    }

    @AfterEach
    void stop() {
        openwhisk.close();
        action.close();
    }

    private RunOutcome run(String name, Timeouts timeouts) throws Exception {
        return runner.run(name, Map.of("n", 7), timeouts, started::add, () -> false);
    }

    @Test
    void shouldRunAnActivationToItsEnd() throws Exception {
        // Waits so long in simulated time that the controller is done long before.
        RunOutcome outcome = run("worker", new Timeouts(Duration.ofMinutes(1), Duration.ofDays(30)));

        assertThat(outcome).isInstanceOfSatisfying(RunOutcome.Ended.class, ended -> {
            assertThat(started).containsExactly(ended.record().activationId());
            assertThat(ended.end())
                    .isInstanceOfSatisfying(
                            ActivationEnd.Success.class,
                            success -> assertThat(success.result().get("n").intValue())
                                    .isEqualTo(7));
        });
    }

    @Test
    void shouldRetryInvocationsThatWereCertainlyNotAccepted() throws Exception {
        openwhisk.atNextInvocation(Fault.UNAVAILABLE);
        openwhisk.atNextInvocation(Fault.UNAVAILABLE);

        assertThat(run("worker", new Timeouts(Duration.ofMinutes(1), Duration.ofDays(30))))
                .isInstanceOf(RunOutcome.Ended.class);
        assertThat(started).hasSize(1);
        assertThat(time.sleeps().get(0)).isBetween(Duration.ofMillis(250), Duration.ofMillis(500));
        assertThat(time.sleeps().get(1)).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
    }

    @Test
    void shouldNotRetryAnInvocationThatMayHaveBeenAccepted() throws Exception {
        openwhisk.atNextInvocation(Fault.LOST_ANSWER);

        assertThat(run("worker", TIMEOUTS)).isInstanceOfSatisfying(RunOutcome.Lost.class, lost -> {
            assertThat(lost.activationId()).isEmpty();
            assertThat(lost.message()).contains("/actions/worker got no complete answer");
        });
        action.await("/run", 1);
        assertThat(started).isEmpty();
    }

    @Test
    void shouldGiveUpAnActivationThatDoesNotEnd() throws Exception {
        openwhisk.atNextInvocation(Fault.LOST_ACTIVATION);

        RunOutcome outcome = run("worker", TIMEOUTS);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        RunOutcome.Lost.class,
                        lost -> assertThat(lost.message())
                                .isEqualTo(
                                        "activation %s did not end within 600000 ms: its record is not stored",
                                        started.get(0)));
        assertThat(time.sleeps())
                .as("pauses between looks")
                .allSatisfy(sleeper -> assertThat(sleeper).isBetween(Duration.ofMillis(50), Duration.ofSeconds(2)));
        assertThat(time.sleeps()).as("looks in 10 minutes").hasSizeBetween(300, 620);
    }

    @Test
    void shouldNotTakeALongQueueForALoss() throws Exception {
        openwhisk.atNextInvocation(Fault.LOST_ACTIVATION);
        Instant roomAt = time.clock().instant().plus(Duration.ofMinutes(30));

        RunOutcome outcome = runner.run(
                "worker",
                Map.of(),
                TIMEOUTS,
                started::add,
                () -> time.clock().instant().isBefore(roomAt));

        assertThat(outcome).isInstanceOf(RunOutcome.Lost.class);
        assertThat(time.clock().instant()).isAfter(roomAt.plus(Duration.ofMinutes(9)));
    }

    @Test
    void shouldTakeInARecordThatComesLate() throws Exception {
        openwhisk.close();
        start(FakeSettings.STANDALONE.withLooksUntilStored(5));
        assertThat(run("worker", new Timeouts(Duration.ofMinutes(1), Duration.ofMillis(1))))
                .isInstanceOf(RunOutcome.Lost.class);
        action.await("/run", 1);

        Optional<RunOutcome.Ended> late = Optional.empty();
        int polls = 0;
        while (late.isEmpty()) {
            late = runner.late(started.get(0));
            polls++;
        }

        assertThat(polls).isGreaterThan(1);
        assertThat(late.get().record().activationId()).isEqualTo(started.get(0));
        assertThat(late.get().end()).isInstanceOf(ActivationEnd.Success.class);
    }

    @Test
    void shouldGiveUpAnInvocationThatIsNeverAccepted() throws Exception {
        for (int n = 0; n < 100; n++) {
            openwhisk.atNextInvocation(Fault.UNAVAILABLE);
        }

        assertThat(run("worker", TIMEOUTS))
                .isEqualTo(new RunOutcome.NotStarted(
                        true, "worker was not accepted within 600000 ms: The service is unavailable."));
    }

    @Test
    void shouldSayWhyItIsNotStarted() throws Exception {
        assertThat(run("nobody", TIMEOUTS))
                .isEqualTo(new RunOutcome.NotStarted(false, "404 The requested resource does not exist."));
        assertThat(time.sleeps()).isEmpty();
    }

    @Test
    void shouldRetryWhileTheControllerIsUnreachable() throws Exception {
        RunOutcome outcome = runner.run(
                "worker",
                Map.of(),
                new Timeouts(Duration.ofMinutes(1), Duration.ofMinutes(1)),
                id -> openwhisk.close(),
                () -> false);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        RunOutcome.Lost.class,
                        lost -> assertThat(lost.message())
                                .contains("did not end within 60000 ms: GET " + openwhisk.uri(), "could not connect"));
        assertThat(run("worker", TIMEOUTS)).isInstanceOfSatisfying(RunOutcome.NotStarted.class, notStarted -> {
            assertThat(notStarted.isTransient()).isTrue();
            assertThat(notStarted.message()).contains("was not accepted within 600000 ms: POST ", "could not connect");
        });
    }

    @Test
    void shouldNotRetryAServerThatIsNotOpenWhisk() throws IOException {
        try (var portal = new PortalServer()) {
            ActivationRunner lost = new ActivationRunner(
                    portal.client(),
                    new Throttle(new NamespaceLimits(60, 30, true), time.clock(), time, new Random(1), line -> {}),
                    time.clock(),
                    time,
                    new Random(2));

            OpenWhiskException failure = catchThrowableOfType(
                    OpenWhiskException.class, () -> lost.run("worker", Map.of(), TIMEOUTS, started::add, () -> false));

            assertThat(failure).hasMessageContaining("answered 200 with 6 bytes that are not JSON: <html>");
            assertThat(time.sleeps()).isEmpty();
        }
    }

    @Test
    void shouldHoldASlotUntilTheEndAndFreeItThen() throws Exception {
        openwhisk.close();
        start(FakeSettings.STANDALONE.withLimits(1000, 1));
        for (int n = 0; n < 5; n++) {
            openwhisk.atNextInvocation(Fault.UNAVAILABLE);
        }
        for (int n = 0; n < 5; n++) {
            assertThat(run("worker", new Timeouts(Duration.ofHours(1), Duration.ofDays(30))))
                    .isInstanceOf(RunOutcome.Ended.class);
        }
        assertThat(run("nobody", TIMEOUTS)).isInstanceOf(RunOutcome.NotStarted.class);
        assertThat(run("worker", new Timeouts(Duration.ofHours(1), Duration.ofDays(30))))
                .isInstanceOf(RunOutcome.Ended.class);
    }

    @Test
    void shouldGetEverythingDoneFromManyThreadsWithinTheLimits() throws Exception {
        openwhisk.close();
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        action = ScriptedAction.running(body -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            running.decrementAndGet();
            return ScriptedAction.Answer.ok("{}");
        });
        openwhisk = new FakeOpenWhisk(FakeSettings.STANDALONE.withLimits(1000, 3), action);
        client = OpenWhiskEnvironment.read(openwhisk.environment()).client();
        client.putAction(ActionDefinition.of("worker", "image", ActionLimits.DEFAULT));
        Clock clock = Clock.systemUTC();
        Random random = new Random(3);
        ActivationRunner shared = new ActivationRunner(
                client,
                new Throttle(client.limits(), clock, Sleeper.THREAD, random, line -> {}),
                clock,
                Sleeper.THREAD,
                random);
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            List<Callable<RunOutcome>> wanted = new ArrayList<>();
            for (int n = 0; n < 12; n++) {
                wanted.add(() -> shared.run("worker", Map.of(), TIMEOUTS, id -> {}, () -> false));
            }
            for (Future<RunOutcome> outcome : threads.invokeAll(wanted)) {
                assertThat(outcome.get()).isInstanceOf(RunOutcome.Ended.class);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(most.get()).isBetween(1, 3);
        assertThat(openwhisk.records()).hasSize(12);
    }

    @Test
    void shouldWaitForBothInitializationAndRun() {
        assertThat(Timeouts.of(Duration.ofMinutes(1), Duration.ofSeconds(20), Duration.ofMinutes(5)))
                .isEqualTo(new Timeouts(Duration.ofMinutes(1), Duration.ofSeconds(20 + 600 + 30)));
    }
}
