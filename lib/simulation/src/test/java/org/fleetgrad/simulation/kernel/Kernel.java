package org.fleetgrad.simulation.kernel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A simulated time in which one thing happens after the other: events, and the steps of {@link Fiber}s between two waits. One seed has
 * one history, because only one thread has the turn. A fiber that waits keeps it: its thread lets the next events happen, until one of
 * them wakes a fiber. Often that is the same one, and then no thread waits for another.
 */
public final class Kernel {

    private static final int MANY_FIBERS = 64;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<Fiber> fibers = new ArrayList<>();
    private final Random random;
    /** The thread that called {@link #runUntil} waits here while threads of fibers have the turn. */
    private final Semaphore caller = new Semaphore(0);

    private long nanos;
    private long scheduled;
    private Duration latest = Duration.ZERO;
    private BooleanSupplier isSo = () -> true;
    private @Nullable Fiber woken;
    private @Nullable Fiber running;
    private @Nullable Throwable failure;

    /** Something that happens at a time; of one time, in the order in which they were scheduled. */
    private record Event(long nanos, long number, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(nanos, other.nanos);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /** @param random the only source of chance */
    public Kernel(Random random) {
        this.random = random;
    }

    /** Returns the only source of chance. */
    public Random random() {
        return random;
    }

    /** Returns the time since the beginning, in nanoseconds. */
    public long nanos() {
        return nanos;
    }

    /** Returns a time from {@code least} up to {@code most}, exclusively. */
    public Duration between(Duration least, Duration most) {
        return least.plusNanos(
                (long) (random.nextDouble() * (double) most.minus(least).toNanos()));
    }

    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** Lets something happen later. */
    public void after(Duration delay, Runnable what) {
        events.add(new Event(nanos + Math.max(0, delay.toNanos()), scheduled++, what));
    }

    /** Starts a fiber, whose first step comes next. */
    public Fiber start(String name, Runnable body) {
        if (fibers.size() > MANY_FIBERS) {
            fibers.removeIf(Fiber::isOver);
        }
        Fiber fiber = new Fiber(this, name, body);
        fibers.add(fiber);
        after(Duration.ZERO, fiber::step);
        return fiber;
    }

    /** Ends the run with a failure of the world. */
    public void fail(Throwable why) {
        if (failure == null) {
            failure = why;
        }
    }

    /**
     * Lets everything happen until something is so, or the time is over.
     *
     * @return whether it is so
     */
    public boolean runUntil(Duration end, BooleanSupplier condition) {
        latest = end;
        isSo = condition;
        giveTurn(next());
        caller.acquireUninterruptibly();
        Throwable why = failure;
        failure = null;
        if (why != null) {
            throw new IllegalStateException("at %s".formatted(Duration.ofNanos(nanos)), why);
        }
        return condition.getAsBoolean();
    }

    /** Lets events happen in the thread that has the turn; returns the fiber whose turn is next, or null if {@link #runUntil} is over. */
    @Nullable
    Fiber next() {
        running = null;
        try {
            while (failure == null && !isSo.getAsBoolean()) {
                Event event = events.peek();
                if (event == null || event.nanos() > latest.toNanos()) {
                    nanos = Math.max(nanos, latest.toNanos());
                    return null;
                }
                events.remove();
                nanos = event.nanos();
                event.what().run();
                if (woken != null) {
                    running = woken;
                    woken = null;
                    return running;
                }
            }
        } catch (Throwable failed) {
            fail(failed);
        }
        return null;
    }

    /** Lets another thread go on. */
    void giveTurn(@Nullable Fiber next) {
        if (next == null) {
            caller.release();
        } else {
            next.go();
        }
    }

    /** Lets a fiber have the next turn: called by an event, as its last act. */
    void wake(Fiber fiber) {
        woken = fiber;
    }

    boolean isRunning(Fiber fiber) {
        return running == fiber;
    }

    /** Kills all fibers, so that their threads are free again. */
    public void end() {
        events.clear();
        isSo = () -> true;
        for (Fiber fiber : List.copyOf(fibers)) {
            fiber.kill();
            while (!fiber.isOver()) {
                running = fiber;
                giveTurn(fiber);
                caller.acquireUninterruptibly();
            }
        }
        fibers.clear();
        failure = null;
    }
}
