package org.fleetgrad.files.pace;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The pace of one exchange. It may be still for a while, and on the whole must move {@link #FLOOR} bytes a second. A time limit
 * of a socket is for a single read, so that a byte now and then keeps it waiting for ever; and none is for writes.
 *
 * <p>One thread moves bytes, others may look.
 */
public final class Pace {

    /** Bytes per second: what a line of 64 kbit/s moves. */
    public static final long FLOOR = 8 * 1024;

    private static final double NANOS_PER_BYTE = 1e9 / FLOOR;

    private final LongSupplier nanoTime;
    private final long begin;
    private final long stillness;
    private final AtomicLong moved = new AtomicLong();

    /** Longest silence, once somebody listens. */
    private volatile long silence = Long.MAX_VALUE;

    private volatile long heard;

    /**
     * Begins now.
     *
     * @param stillness for which nothing has to move, in all
     * @param nanoTime  the time in nanoseconds, as {@link System#nanoTime}
     */
    public Pace(Duration stillness, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.begin = nanoTime.getAsLong();
        this.stillness = stillness.toNanos();
    }

    /** Counts bytes that were sent or received. */
    public void moved(long bytes) {
        moved.addAndGet(bytes);
        if (silence != Long.MAX_VALUE && bytes > 0) {
            heard = nanoTime.getAsLong();
        }
    }

    /** From now on something must move again and again: it may be still for {@code longest} at a time, whatever has moved before. */
    public void listen(Duration longest) {
        heard = nanoTime.getAsLong();
        silence = longest.toNanos();
    }

    /** Tells whether it took longer than its bytes earn, or is silent for too long. */
    public boolean isTooSlow() {
        return passed() > stillness + moved.get() * NANOS_PER_BYTE || isSilent();
    }

    private boolean isSilent() {
        return silence != Long.MAX_VALUE && nanoTime.getAsLong() - heard > silence;
    }

    /** Ends an exchange that is too slow, with the numbers. */
    public void require() throws IOException {
        if (isTooSlow()) {
            throw tooSlow();
        }
    }

    /** Returns the reason for which it was ended. */
    public IOException tooSlow() {
        if (isSilent()) {
            return new SocketTimeoutException("nothing came for more than %d ms"
                    .formatted(Duration.ofNanos(silence).toMillis()));
        }
        return new SocketTimeoutException("only %d bytes moved in %d s, below %d a second"
                .formatted(moved.get(), Duration.ofNanos(passed()).toSeconds(), FLOOR));
    }

    private long passed() {
        return nanoTime.getAsLong() - begin;
    }
}
