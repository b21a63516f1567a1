package org.fleetgrad.simulation.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.fleetgrad.simulation.kernel.Awaited;
import org.fleetgrad.simulation.kernel.Fiber;
import org.fleetgrad.simulation.kernel.Kernel;
import org.fleetgrad.worker.training.CallsBeside;

/** Calls beside a simulated training: fibers of the worker's process, which end with it. */
record FiberCalls(Kernel kernel) implements CallsBeside {

    private static final Duration FOREVER = Duration.ofDays(1000);

    @Override
    public <T> Future<T> start(Callable<T> call) {
        Awaited<Outcome<T>> outcome = new Awaited<>(kernel);
        Fiber fiber = Fiber.current().startChild("beside", () -> outcome.give(outcomeOf(call)));
        return new Call<>(fiber, outcome);
    }

    /** What a call returned, or threw. */
    private record Outcome<T>(Optional<T> result, Optional<Exception> failure) {}

    private static <T> Outcome<T> outcomeOf(Callable<T> call) {
        try {
            return new Outcome<>(Optional.of(call.call()), Optional.empty());
        } catch (Exception failed) {
            return new Outcome<>(Optional.empty(), Optional.of(failed));
        }
    }

    private record Call<T>(Fiber fiber, Awaited<Outcome<T>> outcome) implements Future<T> {

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
            Outcome<T> came =
                    outcome.await(Duration.ofNanos(unit.toNanos(timeout))).orElseThrow(TimeoutException::new);
            if (came.failure().isPresent()) {
                throw new ExecutionException(came.failure().get());
            }
            return came.result().orElseThrow();
        }
    }
}
