package org.fleetgrad.ps.web.exchange;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts off clients that send or read too slowly. What they hold, a version or the memory for a gradient, is then free again.
 *
 * <p>A client has a time in which nothing is asked of it; after that its bytes must keep up with the least rate. While the
 * server turns others away for want of memory, the time is a quarter and the rate four times as high. Thread-safe.
 */
final class SlowClients implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SlowClients.class);
    private static final int STRICTER = 4;
    private static final long LOOK_MS = 250;

    private final Semaphore threads;
    private final long bytesPerSecond;
    private final long graceNanos;
    private final BooleanSupplier isShort;
    private final LongSupplier nanoTime;
    private final Set<Transfer> transfers = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "slow-clients");
        thread.setDaemon(true);
        return thread;
    });

    /** A body on its way in or out. */
    interface Transfer {

        /** Returns when it began, by the clock of {@link System#nanoTime}. */
        long begunNanos();

        /** Returns how many of its bytes the client has sent or taken. */
        long movedBytes();

        /** Closes its connection. */
        void cut(String why);
    }

    /**
     * @param bytesPerSecond least rate
     * @param grace          time in which nothing is asked of a client
     * @param isShort        whether the server turns others away for want of memory
     * @param mostThreads    that wait for clients at a time
     */
    SlowClients(long bytesPerSecond, Duration grace, BooleanSupplier isShort, int mostThreads, LongSupplier nanoTime) {
        this.threads = new Semaphore(mostThreads);
        this.bytesPerSecond = bytesPerSecond;
        this.graceNanos = grace.toNanos();
        this.isShort = isShort;
        this.nanoTime = nanoTime;
    }

    /** Begins to look by itself, a few times a second. */
    SlowClients start() {
        ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
        return this;
    }

    /**
     * Lets the calling thread wait for its client, if few others do. To wait costs less than to be called back, and most
     * clients are not slow; when those that are have taken these threads, nobody waits any more.
     */
    boolean tryTakeThread() {
        return threads.tryAcquire();
    }

    void giveBackThread() {
        threads.release();
    }

    void watch(Transfer transfer) {
        transfers.add(transfer);
    }

    void forget(Transfer transfer) {
        transfers.remove(transfer);
    }

    int watched() {
        return transfers.size();
    }

    /** Cuts off those that are too slow now. */
    void look() {
        int stricter = isShort.getAsBoolean() ? STRICTER : 1;
        long now = nanoTime.getAsLong();
        for (Transfer transfer : List.copyOf(transfers)) {
            long asked = asked(now - transfer.begunNanos() - graceNanos / stricter, stricter);
            long moved = transfer.movedBytes();
            if (moved < asked) {
                transfers.remove(transfer);
                String why = "%d bytes moved where %d were due: the least rate is %d bytes a second"
                        .formatted(moved, asked, bytesPerSecond * stricter);
                try {
                    transfer.cut(why);
                } catch (RuntimeException over) {
                    // One connection that ended by itself at this moment must not end the looking.
                    LOG.debug("a connection ended before it was cut", over);
                }
            }
        }
    }

    /** A client whose time has just ended has moved one byte at least. */
    private long asked(long nanos, int stricter) {
        if (nanos <= 0) {
            return 0;
        }
        return 1 + (long) (nanos / 1e9 * bytesPerSecond * stricter);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
