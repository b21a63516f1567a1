package org.fleetgrad.files.transfer;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The transfer rate of one exchange. It has a grace period, and on average must move {@link #FLOOR} bytes per second. A socket
 * timeout applies to a single read, so an occasional byte keeps it waiting forever; and there is none for writes.
 *
 * <p>One thread moves bytes, others may check the rate.
 */
public final class TransferRate {

    /** Minimum rate in bytes per second: that of a 64 kbit/s line. */
    public static final long FLOOR = 8 * 1024;

    private static final double NANOS_PER_BYTE = 1e9 / FLOOR;

    private final LongSupplier nanoTime;
    private final long begin;
    private final long gracePeriod;
    private final AtomicLong bytes = new AtomicLong();

    /** Longest allowed silence, once {@link #limitSilence} was called. */
    private volatile long maxSilence = Long.MAX_VALUE;

    private volatile long lastTransfer;

    /**
     * Begins now.
     *
     * @param gracePeriod total time in which no bytes have to move
     * @param nanoTime  the time in nanoseconds, as {@link System#nanoTime}
     */
    public TransferRate(Duration gracePeriod, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.begin = nanoTime.getAsLong();
        this.gracePeriod = gracePeriod.toNanos();
    }

    /** Counts bytes that were sent or received. */
    public void count(long count) {
        bytes.addAndGet(count);
        if (maxSilence != Long.MAX_VALUE && count > 0) {
            lastTransfer = nanoTime.getAsLong();
        }
    }

    /** From now on no pause between bytes may be longer than {@code longest}, however many bytes have moved before. */
    public void limitSilence(Duration longest) {
        lastTransfer = nanoTime.getAsLong();
        maxSilence = longest.toNanos();
    }

    /** Returns whether the exchange is below the minimum rate, or silent for too long. */
    public boolean isTooSlow() {
        return passed() > gracePeriod + bytes.get() * NANOS_PER_BYTE || isSilent();
    }

    private boolean isSilent() {
        return maxSilence != Long.MAX_VALUE && nanoTime.getAsLong() - lastTransfer > maxSilence;
    }

    /** Throws if the exchange is too slow, with the numbers. */
    public void require() throws IOException {
        if (isTooSlow()) {
            throw tooSlow();
        }
    }

    /** Returns the reason why it was ended. */
    public IOException tooSlow() {
        if (isSilent()) {
            return new SocketTimeoutException("nothing came for more than %d ms"
                    .formatted(Duration.ofNanos(maxSilence).toMillis()));
        }
        return new SocketTimeoutException("only %d bytes moved in %d s, below %d a second"
                .formatted(bytes.get(), Duration.ofNanos(passed()).toSeconds(), FLOOR));
    }

    private long passed() {
        return nanoTime.getAsLong() - begin;
    }
}
