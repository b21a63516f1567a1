package org.fleetgrad.files.pace;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Monitors exchanges whose threads are blocked, and ends those that are too slow. Thread-safe. */
public final class PaceWatch {

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final LongSupplier nanoTime;
    private final Map<Watched, Runnable> open = new ConcurrentHashMap<>();

    /** A watch that checks only when {@link #look} is called. */
    public PaceWatch(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private static final class Shared {
        private static final PaceWatch WATCH = started();

        private static PaceWatch started() {
            PaceWatch watch = new PaceWatch(System::nanoTime);
            var unused = Executors.newSingleThreadScheduledExecutor(look -> {
                        Thread thread = new Thread(look, "pace-watch");
                        thread.setDaemon(true);
                        return thread;
                    })
                    .scheduleWithFixedDelay(watch::look, LOOK.toNanos(), LOOK.toNanos(), TimeUnit.NANOSECONDS);
            return watch;
        }
    }

    /** Returns the watch of this process, which checks every second. */
    public static PaceWatch shared() {
        return Shared.WATCH;
    }

    /** An exchange that is monitored until it is closed. */
    public final class Watched implements AutoCloseable {

        private final Pace pace;
        private volatile boolean isEnded;

        private Watched(Pace pace) {
            this.pace = pace;
        }

        /** Returns the counter of its bytes. */
        public Pace pace() {
            return pace;
        }

        /** Returns whether the watch has ended it. */
        public boolean isEnded() {
            return isEnded;
        }

        @Override
        public void close() {
            open.remove(this);
        }
    }

    /**
     * Monitors an exchange from now on.
     *
     * @param stillness grace period in which no bytes have to move, in total
     * @param end       frees the thread of the exchange, and does not block; called once, by another thread
     */
    public Watched begin(Duration stillness, Runnable end) {
        Watched watched = new Watched(new Pace(stillness, nanoTime));
        open.put(watched, end);
        return watched;
    }

    /** Ends every exchange that is too slow. */
    public void look() {
        open.forEach((watched, end) -> {
            if (watched.pace.isTooSlow() && open.remove(watched) != null) {
                watched.isEnded = true;
                end.run();
            }
        });
    }
}
