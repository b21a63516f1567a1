package org.fleetgrad.inference.grpc;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ProblemKind;

/** The calls that are under way, of all connections: their number, their memory and their time are bounded. Thread-safe. */
final class GrpcCalls {

    private final GrpcLimits limits;
    private final LongSupplier nanoTime;
    private final Semaphore free;
    private final Set<Admitted> open = ConcurrentHashMap.newKeySet();
    private long read;

    GrpcCalls(GrpcLimits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.free = new Semaphore(limits.calls());
    }

    GrpcLimits limits() {
        return limits;
    }

    /** Returns the number of calls that are under way. */
    int size() {
        return open.size();
    }

    /**
     * Admits a call.
     *
     * @param late is run if the client is too slow, once for each time that it is awaited
     * @throws RequestRefused if there are too many
     */
    Admitted admit(Runnable late) {
        if (!free.tryAcquire()) {
            throw RequestRefused.forNow(
                    ProblemKind.BUSY, "%d calls are under way, the most that there may be".formatted(limits.calls()));
        }
        Admitted call = new Admitted(late);
        open.add(call);
        return call;
    }

    /** Ends the patience with clients that are too slow; to be called about every second. */
    void look() {
        long now = nanoTime.getAsLong();
        for (Admitted call : open) {
            call.look(now);
        }
    }

    private synchronized void take(long bytes) {
        if (read > 0 && bytes > limits.memory() - read) {
            throw RequestRefused.forNow(
                    ProblemKind.BUSY,
                    "the messages of other calls take %d bytes of memory, and this one takes %d; together they may take %d"
                            .formatted(read, bytes, limits.memory()));
        }
        read += bytes;
    }

    private synchronized void give(long bytes) {
        read -= bytes;
    }

    /** A call that was admitted, from its head until its client has taken the answer, or is gone. */
    final class Admitted {

        private final Runnable late;
        private long bytes;
        private long waitedFrom = nanoTime.getAsLong();
        private boolean isWaiting = true;
        private boolean isOver;

        private Admitted(Runnable late) {
            this.late = late;
        }

        /**
         * Nobody waits for the client any longer, since its message has arrived.
         *
         * @param length of the message in bytes
         * @throws RequestRefused if the messages of other calls take too much memory
         */
        synchronized void arrived(int length) {
            isWaiting = false;
            bytes = (long) length * GrpcLimits.GROWTH;
            try {
                take(bytes);
            } catch (RequestRefused refused) {
                bytes = 0;
                throw refused;
            }
        }

        /** The client must take its answer now. */
        synchronized void answered() {
            give(bytes);
            bytes = 0;
            isWaiting = true;
            waitedFrom = nanoTime.getAsLong();
        }

        /** The call is over for both sides. */
        synchronized void end() {
            if (!isOver) {
                isOver = true;
                isWaiting = false;
                give(bytes);
                open.remove(this);
                free.release();
            }
        }

        private void look(long now) {
            synchronized (this) {
                if (!isWaiting || now - waitedFrom < limits.patience().toNanos()) {
                    return;
                }
                isWaiting = false;
            }
            late.run();
        }
    }
}
