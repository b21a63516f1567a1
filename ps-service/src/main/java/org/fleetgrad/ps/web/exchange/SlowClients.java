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
 * Cuts off clients that send or read too slowly. What they hold, a version or the memory for a gradient, is then free again.
 *
 * <p>A client has a time in which nothing is asked of it; after that bytes fall due at the least rate. What it moved before
 * they were due counts, but not for long: a client that stops near its end is cut off, too. While memory is short, the time
 * is a quarter and the rate sixteen times as high. While the newest version finds none, readers have that time and no more,
 * whatever their rate: they read what is old. Thread-safe.
 */
final class SlowClients implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SlowClients.class);
    private static final int LESS_PATIENCE = 4;
    private static final int HIGHER_RATE = 16;
    private static final long LOOK_MS = 250;

    /**
     * Most that a client may be ahead of what is due. A socket buffers megabytes, and its progress is seen in steps of a third
     * of that: with less, a client that keeps up would be cut off between two steps.
     */
    private static final long MOST_AHEAD_BYTES = 2 << 20;

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
    private long lookedNanos;

    /** Whether there is memory for what clients bring and want. */
    enum Memory {
        PLENTY,
        /** Others are turned away. */
        SHORT,
        /** The newest version has found none for a while, since readers hold old ones. */
        NONE_FOR_VERSIONS
    }

    /** A body on its way in or out. */
    interface Transfer {

        /** Returns when it began, by the clock of {@link System#nanoTime}. */
        long begunNanos();

        /** Returns how many of its bytes the client has sent or taken. */
        long movedBytes();

        /** Tells whether it holds a version. */
        default boolean isReader() {
            return false;
        }

        /** Tells whether its time is over, however much has moved. */
        default boolean isLate(long nanoTime) {
            return false;
        }

        /** Closes its connection. */
        void cut(String why);
    }

    /** What is due of a client; only the thread that looks uses it. */
    private static final class Due {
        private double bytes;
    }

    /**
     * @param bytesPerSecond least rate
     * @param grace          time in which nothing is asked of a client
     * @param memory         that the server has now
     */
    SlowClients(long bytesPerSecond, Duration grace, Supplier<Memory> memory, LongSupplier nanoTime) {
        this.bytesPerSecond = bytesPerSecond;
        this.graceNanos = grace.toNanos();
        this.memory = memory;
        this.nanoTime = nanoTime;
        this.lookedNanos = nanoTime.getAsLong();
    }

    /** Begins to look by itself, a few times a second. */
    SlowClients start() {
        ScheduledFuture<?> unused =
                timer.scheduleWithFixedDelay(this::lookSafely, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
        return this;
    }

    void watch(Transfer transfer) {
        transfers.put(transfer, new Due());
    }

    void forget(Transfer transfer) {
        transfers.remove(transfer);
    }

    int watched() {
        return transfers.size();
    }

    /** A task that throws would never run again. */
    private void lookSafely() {
        try {
            look();
        } catch (RuntimeException | Error bug) {
            LOG.error("slow clients could not be looked for", bug);
        }
    }

    /** Cuts off those that are too slow now. One thread at a time calls it. */
    void look() {
        Memory there = memory.get();
        long patience = there == Memory.PLENTY ? graceNanos : graceNanos / LESS_PATIENCE;
        long rate = there == Memory.PLENTY ? bytesPerSecond : bytesPerSecond * HIGHER_RATE;
        long now = nanoTime.getAsLong();
        long sinceLook = now - lookedNanos;
        lookedNanos = now;
        transfers.forEach((transfer, due) -> {
            long late = now - transfer.begunNanos() - patience;
            long moved = transfer.movedBytes();
            if (late > 0) {
                long asked = Math.min(sinceLook, late);
                due.bytes = Math.max(due.bytes + asked / 1e9 * rate, (double) moved - MOST_AHEAD_BYTES);
            }
            if (late > 0 && there == Memory.NONE_FOR_VERSIONS && transfer.isReader()) {
                cut(transfer, "the newest version finds no memory, since readers hold old ones");
            } else if (moved < due.bytes || transfer.isLate(now)) {
                cut(
                        transfer,
                        "%d bytes moved where %d were due: the least rate is %d bytes a second"
                                .formatted(moved, (long) Math.ceil(due.bytes), rate));
            }
        });
    }

    private void cut(Transfer transfer, String why) {
        transfers.remove(transfer);
        try {
            transfer.cut(why);
        } catch (RuntimeException over) {
            // One connection that ended by itself at this moment must not end the looking.
            LOG.debug("a connection ended before it was cut", over);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
