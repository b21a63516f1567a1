package org.fleetgrad.openwhisk.pacing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.fleetgrad.files.retry.Backoff;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.openwhisk.Invocation;
import org.fleetgrad.openwhisk.OpenWhiskClient;
import org.fleetgrad.openwhisk.OpenWhiskException;

/**
 * Runs activations until they end: invokes without blocking, pauses when the controller refuses, then polls for the
 * record. Blocking; threads that run activations at the same time share one runner.
 *
 * <p>The runner never repeats an invocation that may have been accepted.
 */
public final class ActivationRunner {

    private static final Duration FIRST_POLL = Duration.ofMillis(100);
    private static final Duration LONGEST_POLL = Duration.ofSeconds(2);
    private static final double GROWTH = 1.5;

    /** The time that OpenWhisk needs to notice a dead container. */
    private static final Duration NOTICE = Duration.ofSeconds(30);

    private final OpenWhiskClient client;
    private final Throttle throttle;
    private final Clock clock;
    private final Sleeper sleeper;
    private final RandomGenerator random;

    /**
     * The timeouts of one activation.
     *
     * @param toStart until OpenWhisk accepts the activation
     * @param toEnd   from then until its record is stored
     */
    public record Timeouts(Duration toStart, Duration toEnd) {

        /**
         * Returns the timeouts of an activation with this time limit, of which it has one for the initialization and one
         * for the run, after it waited in OpenWhisk's queue for {@code queue} at most.
         */
        public static Timeouts of(Duration toStart, Duration queue, Duration timeLimit) {
            return new Timeouts(toStart, queue.plus(timeLimit.multipliedBy(2)).plus(NOTICE));
        }
    }

    /** @param random used by all threads, so it must be thread-safe, as {@link java.util.Random} is */
    public ActivationRunner(
            OpenWhiskClient client, Throttle throttle, Clock clock, Sleeper sleeper, RandomGenerator random) {
        this.client = client;
        this.throttle = throttle;
        this.clock = clock;
        this.sleeper = sleeper;
        this.random = random;
    }

    /**
     * Runs one activation.
     *
     * @param isQueued returns whether the activation certainly waits for capacity in OpenWhisk: its timeout begins after that
     * @param started receives the id as soon as the invocation is accepted
     * @throws OpenWhiskException if a retry cannot help: the key was revoked, or the server is not OpenWhisk
     */
    public RunOutcome run(
            String action,
            Map<String, ?> parameters,
            Timeouts timeouts,
            Consumer<String> started,
            BooleanSupplier isQueued)
            throws OpenWhiskException, InterruptedException {
        Instant deadline = clock.instant().plus(timeouts.toStart());
        String lastRefusal = "the namespace's limits left no room";
        while (throttle.enter(deadline)) {
            try {
                Invocation invocation = client.invoke(action, parameters);
                if (invocation instanceof Invocation.Invoked invoked) {
                    throttle.accepted();
                    started.accept(invoked.activationId());
                    return await(invoked.activationId(), timeouts.toEnd(), isQueued);
                }
                if (invocation instanceof Invocation.Refused refused) {
                    return new RunOutcome.NotStarted(false, "%d %s".formatted(refused.status(), refused.message()));
                }
                if (invocation instanceof Invocation.Uncertain uncertain) {
                    throttle.failed();
                    return new RunOutcome.Lost(Optional.empty(), uncertain.message());
                }
                Invocation.Throttled throttled = (Invocation.Throttled) invocation;
                throttle.refused(throttled);
                lastRefusal = throttled.message();
            } catch (OpenWhiskException unsent) {
                if (!unsent.isTransient()) {
                    throw unsent;
                }
                throttle.failed();
                lastRefusal = String.valueOf(unsent.getMessage());
            } finally {
                throttle.release();
            }
        }
        return new RunOutcome.NotStarted(
                true,
                "%s was not accepted within %d ms: %s"
                        .formatted(action, timeouts.toStart().toMillis(), lastRefusal));
    }

    /** Requests once the end of an activation that was given up; empty if its record is still not stored. */
    public Optional<RunOutcome.Ended> late(String activationId) throws OpenWhiskException, InterruptedException {
        return client.activation(activationId).map(RunOutcome.Ended::new);
    }

    /** Polls for a record until it is stored, also while the controller is unreachable for a while. */
    private RunOutcome await(String id, Duration timeout, BooleanSupplier isQueued)
            throws OpenWhiskException, InterruptedException {
        Instant deadline = clock.instant().plus(timeout);
        Backoff polls = new Backoff(FIRST_POLL, LONGEST_POLL, GROWTH, random);
        while (true) {
            String missing = "its record is not stored";
            try {
                Optional<RunOutcome.Ended> ended = late(id);
                if (ended.isPresent()) {
                    return ended.get();
                }
            } catch (OpenWhiskException unreachable) {
                if (!unreachable.isTransient()) {
                    throw unreachable;
                }
                missing = String.valueOf(unreachable.getMessage());
            }
            Duration wait = polls.next();
            if (isQueued.getAsBoolean()) {
                deadline = clock.instant().plus(timeout);
            }
            if (clock.instant().plus(wait).isAfter(deadline)) {
                return new RunOutcome.Lost(
                        Optional.of(id),
                        "activation %s did not end within %d ms: %s".formatted(id, timeout.toMillis(), missing));
            }
            sleeper.sleep(wait);
        }
    }
}
