package org.fleetgrad.simulation.kernel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A simulated time in which one thing happens after the other: events, and the steps of {@link Fiber}s between two waits. Whoever
 * runs it is the only thread that runs, together with the fiber that it let go; so one seed has one history.
 */
public final class Kernel {

    private static final int MANY_FIBERS = 64;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<Fiber> fibers = new ArrayList<>();
    private final Random random;
    private long nanos;
    private long scheduled;
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
    public boolean runUntil(Duration end, BooleanSupplier isSo) {
        while (!isSo.getAsBoolean()) {
            Event next = events.peek();
            if (next == null || next.nanos() > end.toNanos()) {
                nanos = Math.max(nanos, end.toNanos());
                return false;
            }
            step();
        }
        return true;
    }

    private void step() {
        Event next = events.remove();
        nanos = next.nanos();
        next.what().run();
        if (failure != null) {
            Throwable why = failure;
            failure = null;
            throw new IllegalStateException("at %s".formatted(Duration.ofNanos(nanos)), why);
        }
    }

    /** Kills all fibers, so that their threads are free again. */
    public void end() {
        events.clear();
        for (Fiber fiber : List.copyOf(fibers)) {
            fiber.kill();
            while (!fiber.isOver()) {
                fiber.step();
            }
        }
        fibers.clear();
        failure = null;
    }
}
