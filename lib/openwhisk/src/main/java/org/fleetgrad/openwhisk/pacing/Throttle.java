package org.fleetgrad.openwhisk.pacing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;
import org.fleetgrad.openwhisk.Invocation;
import org.fleetgrad.openwhisk.NamespaceLimits;

/**
 * Keeps invocations within a namespace's limits, and draws back where the controller refuses all the same: others may use the
 * namespace too. Safe from several threads, which share one.
 *
 * <p>INVARIANT: of those that it lets go no more than {@code invocationsPerMinute} begin in any 60 s, wherever the controller's
 * minute begins, and no more than {@code concurrentInvocations} are not over.
 */
public final class Throttle {

    /** A minute, and what a request may spend on its way more than the one a minute before it. */
    private static final Duration WINDOW = Duration.ofSeconds(61);
    /** How often those look that wait for another to end. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final double GROWTH = 2;

    private final NamespaceLimits limits;
    private final Clock clock;
    private final Pause pause;
    private final Backoff backoff;
    private final Deque<Instant> recent = new ArrayDeque<>();
    private int running;
    private Instant closedUntil = Instant.MIN;

    /**
     * @throws IllegalArgumentException when the limits allow nothing
     */
    public Throttle(NamespaceLimits limits, Clock clock, Pause pause, RandomGenerator random) {
        if (limits.invocationsPerMinute() < 1 || limits.concurrentInvocations() < 1) {
            throw new IllegalArgumentException(
                    "the namespace may make %d invocations a minute, and %d at a time; ask its operator for 1 or more of each"
                            .formatted(limits.invocationsPerMinute(), limits.concurrentInvocations()));
        }
        this.limits = limits;
        this.clock = clock;
        this.pause = pause;
        this.backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, GROWTH, random);
    }

    /**
     * Waits until one more may be invoked; {@link #over} says that it is over, or that it was never accepted.
     *
     * @return whether it may, before {@code deadline}; false as soon as it is known that it will not
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
            pause.sleep(wait);
        }
    }

    /** Enters if it may be now; otherwise returns how long it surely may not. */
    private synchronized Duration tryEnter() {
        Instant now = clock.instant();
        if (now.isBefore(closedUntil)) {
            return Duration.between(now, closedUntil);
        }
        if (running >= limits.concurrentInvocations()) {
            return LOOK;
        }
        while (!recent.isEmpty() && !recent.getFirst().plus(WINDOW).isAfter(now)) {
            recent.removeFirst();
        }
        if (recent.size() >= limits.invocationsPerMinute()) {
            return Duration.between(now, recent.getFirst().plus(WINDOW));
        }
        recent.addLast(now);
        running++;
        return Duration.ZERO;
    }

    /** Says that one that entered is over, or was never accepted. */
    public synchronized void over() {
        if (running == 0) {
            throw new IllegalStateException("none is running that could be over");
        }
        running--;
    }

    /** Says that the controller accepts again. */
    public synchronized void accepted() {
        backoff.reset();
    }

    /** Says that the controller refused one: nobody enters for a while, which grows from refusal to refusal. */
    public synchronized void refused(Invocation.Throttled refusal) {
        Duration asked = refusal.retryAfter().orElse(Duration.ZERO);
        draw(asked.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : asked);
    }

    /** Says that the controller does not answer, or not sensibly: nobody enters for a while, as after a refusal. */
    public synchronized void troubled() {
        draw(Duration.ZERO);
    }

    private void draw(Duration atLeast) {
        Instant now = clock.instant();
        // Those that were refused together, before anybody drew back, count as one refusal.
        if (now.isBefore(closedUntil)) {
            return;
        }
        Duration drawn = backoff.next();
        closedUntil = now.plus(drawn.compareTo(atLeast) > 0 ? drawn : atLeast);
    }
}
