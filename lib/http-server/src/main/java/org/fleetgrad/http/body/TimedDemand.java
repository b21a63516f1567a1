package org.fleetgrad.http.body;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Waits for more of a body, again and again, until a time that is the same for all of it. A client may be silent from the beginning: it
 * was asked to continue, and does not. No thread waits.
 */
final class TimedDemand {

    private final Request request;
    private final Duration limit;
    private final Runnable onReadable;
    private final Runnable onLate;

    /** Whoever clears it continues: the thread that can read, or the one of the timer. */
    private final AtomicBoolean isWaiting = new AtomicBoolean();

    private Scheduler.@Nullable Task timer;

    /**
     * @param limit      from the first wait on
     * @param onReadable runs after each wait, unless {@code onLate} did
     * @param onLate     runs if the time ends in a wait; nothing runs after it
     */
    TimedDemand(Request request, Duration limit, Runnable onReadable, Runnable onLate) {
        this.request = request;
        this.limit = limit;
        this.onReadable = onReadable;
        this.onLate = onLate;
    }

    /** Returns at once. */
    void await() {
        if (timer == null) {
            timer = request.getComponents()
                    .getScheduler()
                    .schedule(this::late, limit.toMillis(), TimeUnit.MILLISECONDS);
        }
        isWaiting.set(true);
        request.demand(this::readable);
    }

    private void readable() {
        if (isWaiting.compareAndSet(true, false)) {
            onReadable.run();
        }
    }

    private void late() {
        if (isWaiting.compareAndSet(true, false)) {
            // The timer has one thread for all requests.
            request.getComponents().getExecutor().execute(onLate);
        }
    }

    /** No wait will follow. */
    void end() {
        if (timer != null) {
            timer.cancel();
        }
    }
}
