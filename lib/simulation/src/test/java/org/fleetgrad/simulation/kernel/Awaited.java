package org.fleetgrad.simulation.kernel;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value that comes later, or never, and that one fiber waits for. The first value counts.
 *
 * @param <T> the value
 */
public final class Awaited<T> {

    private final Kernel kernel;
    private @Nullable T value;
    private @Nullable Fiber waiting;
    private long wait;

    public Awaited(Kernel kernel) {
        this.kernel = kernel;
    }

    public boolean isHere() {
        return value != null;
    }

    /** Gives the value. */
    public void give(T given) {
        if (value == null) {
            value = given;
            if (waiting != null) {
                waiting.wake(wait);
            }
        }
    }

    /** Waits in the running fiber; empty if the time is over before the value comes. */
    public Optional<T> await(Duration timeout) {
        Fiber fiber = Fiber.current();
        if (value == null) {
            waiting = fiber;
            wait = fiber.nextWait();
            long mine = wait;
            kernel.after(timeout, () -> fiber.wake(mine));
            fiber.await();
            waiting = null;
        }
        return Optional.ofNullable(value);
    }
}
