package org.fleetgrad.openwhisk.pacing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.fleetgrad.files.retry.Backoff;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.openwhisk.Invocation;
import org.fleetgrad.openwhisk.NamespaceLimits;

/**
 * Keeps invocations within a namespace's limits, and pauses after a refusal by the controller: other clients may use
 * the same namespace. Thread-safe; threads share one throttle.
 *
 * <p>INVARIANT: at most {@code invocationsPerMinute} of the admitted invocations begin in any 60 s, whenever the
 * controller's minute begins, and at most {@code concurrentInvocations} of them are running.
 */
public final class Throttle {

    /** A minute, and one second for requests whose travel times differ. */
    private static final Duration WINDOW = Duration.ofSeconds(61);
    /** Time between two checks for a free slot, while all are taken. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final double GROWTH = 2;
    /** Waits for the rate limit are logged from this length on. */
    private static final Duration MIN_LOGGED_WAIT = Duration.ofSeconds(2);

    private final NamespaceLimits limits;
    private final Clock clock;
    private final Sleeper sleeper;
    private final Consumer<String> log;
    private final Backoff backoff;
    private final Deque<Instant> recent = new ArrayDeque<>();
    private int running;
    private Instant closedUntil = Instant.MIN;
    private Instant quietUntil = Instant.MIN;

    /**
     * @param log receives a line when the rate limit makes the driver wait for seconds, at most one per minute
     * @throws IllegalArgumentException if the limits allow no invocation
     */
    public Throttle(
            NamespaceLimits limits, Clock clock, Sleeper sleeper, RandomGenerator random, Consumer<String> log) {
        if (limits.invocationsPerMinute() < 1 || limits.concurrentInvocations() < 1) {
            throw new IllegalArgumentException(
                    "the namespace's limits are %d invocations a minute and %d at a time; ask its operator for 1 or more of each"
                            .formatted(limits.invocationsPerMinute(), limits.concurrentInvocations()));
        }
        this.limits = limits;
        this.clock = clock;
        this.sleeper = sleeper;
        this.log = log;
        this.backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, GROWTH, random);
    }

    /**
     * Waits until one more invocation may begin. The caller must call {@link #release} when it has ended or was not
     * accepted.
     *
     * @return true if it may begin before {@code deadline}; false as soon as it is certain that it may not
     */
    public boolean enter(Instant deadline) throws InterruptedException {
        while (true) {
            Duration wait = tryEnter();
            if (wait.isZero()) {
                return true;
            }
            if (clock.instant().plus(wait).isAfter(deadline)) {
                return false;
            }
            sleeper.sleep(wait);
        }
    }

    /** Returns zero if the invocation may begin now; otherwise the time for which it certainly may not. */
    private synchronized Duration tryEnter() {
        Instant now = clock.instant();
        if (now.isBefore(closedUntil)) {
            return Duration.between(now, closedUntil);
        }
        if (running >= limits.concurrentInvocations()) {
            return POLL_INTERVAL;
        }
        while (!recent.isEmpty() && !recent.getFirst().plus(WINDOW).isAfter(now)) {
            recent.removeFirst();
        }
        if (recent.size() >= limits.invocationsPerMinute()) {
            Duration wait = Duration.between(now, recent.getFirst().plus(WINDOW));
            logWait(now, wait);
            return wait;
        }
        recent.addLast(now);
        running++;
        return Duration.ZERO;
    }

    /** Called when an admitted invocation has ended, or was not accepted. */
    public synchronized void release() {
        if (running == 0) {
            throw new IllegalStateException("no invocation is running");
        }
        running--;
    }

    /** Called when the controller accepted an invocation: the next pause is short again. */
    public synchronized void accepted() {
        backoff.reset();
    }

    /** Called when the controller refused an invocation: admits none for a while, which grows with each refusal. */
    public synchronized void refused(Invocation.Throttled refusal) {
        Duration retryAfter = refusal.retryAfter().orElse(Duration.ZERO);
        draw(retryAfter.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : retryAfter);
        Instant now = clock.instant();
        if (refusal.reason() == Invocation.Reason.RATE && now.isBefore(closedUntil)) {
            logWait(now, Duration.between(now, closedUntil));
        }
    }

    private void logWait(Instant now, Duration wait) {
        if (wait.compareTo(MIN_LOGGED_WAIT) >= 0 && !now.isBefore(quietUntil)) {
            quietUntil = now.plus(WINDOW);
            log.accept("waiting for the rate limit, %d a minute, %d s"
                    .formatted(limits.invocationsPerMinute(), wait.toSeconds()));
        }
    }

    /** Called when the controller sent no response or an invalid one: pauses as after a refusal. */
    public synchronized void failed() {
        draw(Duration.ZERO);
    }

    private void draw(Duration atLeast) {
        Instant now = clock.instant();
        // Refusals of invocations that were sent before the pause began count as one.
        if (now.isBefore(closedUntil)) {
            return;
        }
        Duration drawn = backoff.next();
        closedUntil = now.plus(drawn.compareTo(atLeast) > 0 ? drawn : atLeast);
    }
}
