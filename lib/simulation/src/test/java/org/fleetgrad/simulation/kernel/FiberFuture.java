package org.fleetgrad.simulation.kernel;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The outcome of a call that runs in a fiber of the caller's process, and ends with it. Whoever waits for it is a fiber, too.
 *
 * @param <T> what the call returns
 */
public final class FiberFuture<T> implements Future<T> {

    private static final Duration FOREVER = Duration.ofDays(1000);

    private final Fiber fiber;
    private final Awaited<Outcome<T>> outcome;

    /** What a call returned, or threw. */
    private record Outcome<T>(Optional<T> result, Optional<Exception> failure) {}

    private FiberFuture(Fiber fiber, Awaited<Outcome<T>> outcome) {
        this.fiber = fiber;
        this.outcome = outcome;
    }

    /** Starts a call beside the running fiber. */
    public static <T> FiberFuture<T> start(Kernel kernel, String name, Callable<T> call) {
        Awaited<Outcome<T>> outcome = new Awaited<>(kernel);
        return new FiberFuture<>(Fiber.current().startChild(name, () -> outcome.give(outcomeOf(call))), outcome);
    }

    private static <T> Outcome<T> outcomeOf(Callable<T> call) {
        try {
            return new Outcome<>(Optional.of(call.call()), Optional.empty());
        } catch (Exception failed) {
            return new Outcome<>(Optional.empty(), Optional.of(failed));
        }
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        if (isDone()) {
            return false;
        }
        fiber.kill();
        return true;
    }

    @Override
    public boolean isCancelled() {
        return fiber.isOver() && !outcome.isHere();
    }

    @Override
    public boolean isDone() {
        return outcome.isHere() || fiber.isOver();
    }

    @Override
    public T get() throws ExecutionException {
        try {
            return get(FOREVER.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException never) {
            throw new CancellationException("the call was killed");
        }
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws ExecutionException, TimeoutException {
        Outcome<T> came = outcome.await(Duration.ofNanos(unit.toNanos(timeout))).orElseThrow(TimeoutException::new);
        if (came.failure().isPresent()) {
            throw new ExecutionException(came.failure().get());
        }
        return came.result().orElseThrow();
    }
}
