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
    }

    /** Tells whether it took longer than its bytes earn. */
    public boolean isTooSlow() {
        return passed() > stillness + moved.get() * NANOS_PER_BYTE;
    }

    /** Ends an exchange that is too slow, with the numbers. */
    public void require() throws IOException {
        if (isTooSlow()) {
            throw tooSlow();
        }
    }

    /** Returns the reason for which it was ended. */
    public IOException tooSlow() {
        return new SocketTimeoutException("only %d bytes moved in %d s, below %d a second"
                .formatted(moved.get(), Duration.ofNanos(passed()).toSeconds(), FLOOR));
    }

    private long passed() {
        return nanoTime.getAsLong() - begin;
    }
}
