package org.fleetgrad.ps.parameters;

import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Buffers that nobody needs now and somebody soon will, up to a number; what is given back beyond is let go of. Safe from
 * several threads.
 *
 * @param <T> what they are
 */
public final class Spares<T> {

    private final int most;
    private final ConcurrentLinkedDeque<T> spare = new ConcurrentLinkedDeque<>();
    private final AtomicInteger count = new AtomicInteger();

    /**
     * @param most how many are kept
     */
    public Spares(int most) {
        this.most = most;
    }

    /** Takes the one that was given back last, if there is any. */
    public Optional<T> take() {
        Optional<T> buffer = Optional.ofNullable(spare.poll());
        if (buffer.isPresent()) {
            count.decrementAndGet();
        }
        return buffer;
    }

    /** Takes one back. */
    public void giveBack(T buffer) {
        if (count.incrementAndGet() <= most) {
            spare.push(buffer);
        } else {
            count.decrementAndGet();
        }
    }
}
