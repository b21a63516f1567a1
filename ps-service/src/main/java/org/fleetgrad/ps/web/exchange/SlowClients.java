package org.fleetgrad.ps.web.exchange;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Disconnects clients that send or read too slowly, and so frees what they hold: a version or the memory for a
 * gradient.
 *
 * <p>A client has a grace period; after that its bytes must arrive at the minimum rate. Bytes moved ahead of that rate
 * count, but only up to a bound: a client that stalls near its end is disconnected, too. While memory is short, the
 * grace period is a quarter and the rate sixteen times as high. While the newest version gets no memory, readers have
 * that grace period and no more, whatever their rate: they read old versions. Thread-safe.
 */
final class SlowClients implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SlowClients.class);
    private static final int GRACE_DIVISOR = 4;
    private static final int RATE_FACTOR = 16;
    private static final long CHECK_INTERVAL_MS = 250;

    /**
     * Maximum that a client may be ahead of what is due. A socket buffers megabytes, and its progress is seen in steps
     * of a third of that: with less, a client that keeps up would be disconnected between two steps.
     */
    private static final long MAX_AHEAD_BYTES = 2 << 20;

    private final long bytesPerSecond;
    private final long graceNanos;
    private final Supplier<Memory> memory;
    private final LongSupplier nanoTime;
    private final Map<Transfer, Due> transfers = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "slow-clients");
        thread.setDaemon(true);
        return thread;
    });
    private long checkedNanos;

    /** Whether there is memory for what clients send and request. */
    enum Memory {
        PLENTY,
        /** Other clients are refused. */
        SHORT,
        /** The newest version has got no memory for a while, since readers hold old versions. */
        NONE_FOR_VERSIONS
    }

    /** A body that is being received or sent. */
    interface Transfer {

        /** Returns how many of its bytes the client has sent or taken. */
        long movedBytes();

        /** Tells whether it holds a version. */
        default boolean isReader() {
            return false;
        }

        void disconnect(String why);
    }

    /** What is due from a client; only the checking thread uses it. */
    private static final class Due {
        private final long begunNanos;
        private double bytes;

        Due(long begunNanos) {
            this.begunNanos = begunNanos;
        }
    }

    /**
     * @param bytesPerSecond minimum rate
     * @param grace          grace period of a client
     * @param memory         that the server has now
     */
    SlowClients(long bytesPerSecond, Duration grace, Supplier<Memory> memory, LongSupplier nanoTime) {
        this.bytesPerSecond = bytesPerSecond;
        this.graceNanos = grace.toNanos();
        this.memory = memory;
        this.nanoTime = nanoTime;
        this.checkedNanos = nanoTime.getAsLong();
    }

    /** Starts the checks, a few times a second. */
    SlowClients start() {
        ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(
                this::disconnectSlowSafely, CHECK_INTERVAL_MS, CHECK_INTERVAL_MS, TimeUnit.MILLISECONDS);
        return this;
    }

    void watch(Transfer transfer) {
        transfers.put(transfer, new Due(nanoTime.getAsLong()));
    }

    void forget(Transfer transfer) {
        transfers.remove(transfer);
    }

    int watched() {
        return transfers.size();
    }

    /** A scheduled task that throws would never run again. */
    private void disconnectSlowSafely() {
        try {
            disconnectSlow();
        } catch (RuntimeException | Error bug) {
            LOG.error("slow clients could not be looked for", bug);
        }
    }

    /** Disconnects clients that are too slow now. One thread at a time calls it. */
    void disconnectSlow() {
        Memory available = memory.get();
        long grace = available == Memory.PLENTY ? graceNanos : graceNanos / GRACE_DIVISOR;
        long rate = available == Memory.PLENTY ? bytesPerSecond : bytesPerSecond * RATE_FACTOR;
        long now = nanoTime.getAsLong();
        long sinceCheck = now - checkedNanos;
        checkedNanos = now;
        transfers.forEach((transfer, due) -> {
            long late = now - due.begunNanos - grace;
            long moved = transfer.movedBytes();
            if (late > 0) {
                long asked = Math.min(sinceCheck, late);
                due.bytes = Math.max(due.bytes + asked / 1e9 * rate, (double) moved - MAX_AHEAD_BYTES);
            }
            if (late > 0 && available == Memory.NONE_FOR_VERSIONS && transfer.isReader()) {
                disconnect(transfer, "the newest version gets no memory, since readers hold old ones");
            } else if (moved < due.bytes) {
                disconnect(
                        transfer,
                        "%d bytes moved where %d were due: the minimum rate is %d bytes a second"
                                .formatted(moved, (long) Math.ceil(due.bytes), rate));
            }
        });
    }

    private void disconnect(Transfer transfer, String why) {
        transfers.remove(transfer);
        try {
            transfer.disconnect(why);
        } catch (RuntimeException over) {
            // A connection that ended by itself at this moment must not end the checks.
            LOG.debug("a connection ended before it was cut", over);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
