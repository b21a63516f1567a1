package org.fleetgrad.inference.grpc;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.body.BodyMemory;
import org.fleetgrad.protocol.ProblemKind;

/** The calls that are under way, of all connections: their number, their memory and their time are bounded. Thread-safe. */
final class GrpcCalls {

    private final GrpcLimits limits;
    private final BodyMemory memory;
    private final LongSupplier nanoTime;
    private final Semaphore free;
    private final Set<Admitted> open = ConcurrentHashMap.newKeySet();

    /**
     * Makes calls.
     *
     * @param memory of their messages, which bodies of HTTP may take, too
     */
    GrpcCalls(GrpcLimits limits, BodyMemory memory, LongSupplier nanoTime) {
        this.limits = limits;
        this.memory = memory;
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

    /** A call that was admitted, from its head until its client has taken the answer, or is gone. */
    final class Admitted {

        private final Runnable late;
        private final BodyMemory.Reservation bytes = memory.begin();
        private long waitedFrom = nanoTime.getAsLong();
        private boolean isWaiting = true;
        private boolean hasMessage;
        private boolean isOver;

        private Admitted(Runnable late) {
            this.late = late;
        }

        /**
         * A piece of the message is there.
         *
         * @throws RequestRefused if there is no memory for it
         */
        synchronized void take(long piece) {
            if (!isOver) {
                bytes.take(piece);
            }
        }

        /**
         * The message takes so many bytes in all, of which some are reserved.
         *
         * @throws RequestRefused if there is no memory for the others
         */
        synchronized void takeUpTo(long total) {
            if (!isOver) {
                bytes.takeUpTo(total);
            }
        }

        /** Nobody waits for the client any longer, since its message has arrived. */
        synchronized void arrived() {
            isWaiting = false;
            hasMessage = true;
        }

        /** The client must take its answer now. */
        synchronized void answered() {
            // Pieces of a message that was refused stay in the connection's buffers until the call is over.
            if (hasMessage) {
                bytes.close();
            }
            isWaiting = true;
            waitedFrom = nanoTime.getAsLong();
        }

        /** The call is over for both sides. */
        synchronized void end() {
            if (!isOver) {
                isOver = true;
                isWaiting = false;
                bytes.close();
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
