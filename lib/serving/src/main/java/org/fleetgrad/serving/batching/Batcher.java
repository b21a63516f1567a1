package org.fleetgrad.serving.batching;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.Outcome;
import org.fleetgrad.serving.Outcome.Closing;
import org.fleetgrad.serving.Outcome.Full;
import org.fleetgrad.serving.policy.WantedVersion;

/**
 * Computes requests that come at the same time as one batch. There is no thread of its own: of the threads that wait for an
 * answer, one computes a batch for all, and then the next one does. So a request alone costs no change of threads.
 *
 * <p>A request that finds nothing before it is computed at once, alone: waiting for company would only make an idle server
 * slow. While a batch computes, further requests gather, and they are the next batch. Only if two or more are there, and they
 * do not fill a batch, do they wait for others, until the first of them has waited for the delay. With 32 clients, 1 ms and 5 ms
 * made batches no larger than those that gather anyway (ADR 29). Requests for different versions, or of different shapes, are never
 * in one batch. Thread-safe; {@link #answer} blocks until there is an outcome.
 */
public final class Batcher implements AutoCloseable {

    private final BatchComputer computer;
    private final BatchLimits limits;
    private final BatchClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition drained = lock.newCondition();
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private final LongAdder batches = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private int queuedImages;
    private long queuedBytes;
    private boolean isComputing;
    private boolean isClosed;

    /** Makes a batcher. */
    public Batcher(BatchComputer computer, BatchLimits limits) {
        this(computer, limits, BatchClock.MACHINE);
    }

    Batcher(BatchComputer computer, BatchLimits limits, BatchClock clock) {
        this.computer = computer;
        this.limits = limits;
        this.clock = clock;
    }

    /**
     * Computes a request with others.
     *
     * @throws IllegalStateException if the computation of its batch threw something, which is the cause
     */
    public Outcome answer(WantedVersion wanted, Images images) {
        lock.lock();
        try {
            if (isClosed) {
                return new Closing();
            }
            if (isTooMuch(images)) {
                refused.increment();
                return new Full(queuedImages, limits.queueImages(), queuedBytes, limits.queueBytes());
            }
            Waiting own = new Waiting(wanted, images, clock.nanos(), lock.newCondition());
            queue.addLast(own);
            queuedImages += images.count();
            queuedBytes += images.bytes();
            arrived.signal();
            while (!own.isOver()) {
                if (isComputing) {
                    own.turn.awaitUninterruptibly();
                } else {
                    computeOneBatch();
                }
            }
            return own.outcome();
        } finally {
            lock.unlock();
        }
    }

    private boolean isTooMuch(Images images) {
        return !queue.isEmpty()
                && (queuedImages + images.count() > limits.queueImages()
                        || queuedBytes + images.bytes() > limits.queueBytes());
    }

    private void computeOneBatch() {
        isComputing = true;
        List<Waiting> batch = List.of();
        try {
            awaitCompany();
            batch = takeBatch();
            batches.increment();
            List<Outcome> outcomes = compute(batch);
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).end(outcomes.get(i));
            }
        } catch (RuntimeException | Error failure) {
            batch.forEach(waiting -> waiting.fail(failure));
        } finally {
            isComputing = false;
            if (queue.isEmpty()) {
                drained.signalAll();
            } else {
                // INVARIANT: while something waits and nothing computes, the first one's thread is awake.
                queue.getFirst().turn.signal();
            }
        }
    }

    private void awaitCompany() {
        long end = queue.getFirst().sinceNanos + limits.delay().toNanos();
        while (!isClosed && queue.size() > 1 && queuedImages < limits.images()) {
            long left = end - clock.nanos();
            if (left <= 0) {
                return;
            }
            try {
                clock.await(arrived, left);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private List<Waiting> takeBatch() {
        List<Waiting> batch = new ArrayList<>();
        int images = 0;
        Iterator<Waiting> waiting = queue.iterator();
        while (waiting.hasNext() && images < limits.images()) {
            Waiting next = waiting.next();
            boolean isFirst = batch.isEmpty();
            if (isFirst || (next.goesWith(batch.get(0)) && images + next.images.count() <= limits.images())) {
                batch.add(next);
                images += next.images.count();
                queuedBytes -= next.images.bytes();
                waiting.remove();
            }
        }
        queuedImages -= images;
        return batch;
    }

    private List<Outcome> compute(List<Waiting> batch) {
        lock.unlock();
        try {
            return computer.answer(
                    batch.get(0).wanted,
                    batch.stream().map(waiting -> waiting.images).toList());
        } finally {
            lock.lock();
        }
    }

    /** Returns the number of images that wait. */
    public int queuedImages() {
        lock.lock();
        try {
            return queuedImages;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of batches that were computed so far. */
    public long batches() {
        return batches.sum();
    }

    /** Returns the number of requests that found a full queue so far. */
    public long refused() {
        return refused.sum();
    }

    /** Takes no more requests, and returns once all those before have their answers. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            arrived.signalAll();
            while (isComputing || !queue.isEmpty()) {
                drained.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }
}
