package org.fleetgrad.serving.batching;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.PredictionOutcome.Closing;
import org.fleetgrad.serving.PredictionOutcome.Full;
import org.fleetgrad.serving.policy.WantedVersion;

/**
 * Computes concurrent requests as one batch. Of the threads that wait for an answer, one computes a batch for all, and then the
 * next one does. So a single request costs no thread switch. Offered requests, for which no thread waits, are computed by the
 * batcher's own thread until none is left: it is woken once, and not once per answer.
 *
 * <p>A request that finds the batcher idle is computed at once, alone: waiting for others would only make an idle server slow.
 * While a batch computes, further requests queue up, and they are the next batch. Only if two or more are queued, and they do
 * not fill a batch, do they wait for others, until the first of them has waited for the delay. With 32 clients, delays of 1 ms
 * and 5 ms made batches no larger than those that queue up anyway (ADR 29). Requests for different versions, or of different
 * shapes, are never in one batch. Thread-safe; {@link #answer} blocks until there is an outcome, {@link #offer} does not wait
 * for others.
 */
public final class Batcher implements AutoCloseable {

    private static final long IDLE_SECONDS = 10;

    private final BatchComputer computer;
    private final BatchLimits limits;
    private final BatchClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition drained = lock.newCondition();
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private final ExecutorService own;
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
        this.own = ownThread();
    }

    /** The thread is started on demand, and ends after an idle time. */
    private static ExecutorService ownThread() {
        ThreadPoolExecutor one =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "batches");
                    thread.setDaemon(true);
                    return thread;
                });
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    /**
     * Computes a request with others.
     *
     * @throws IllegalStateException if the computation of its batch threw something, which is the cause
     */
    public PredictionOutcome answer(WantedVersion wanted, Images images) {
        lock.lock();
        try {
            if (isClosed) {
                return new Closing();
            }
            if (isTooMuch(images)) {
                refused.increment();
                return new Full(queuedImages, limits.queueImages(), queuedBytes, limits.queueBytes());
            }
            Waiting asked = Waiting.withThread(wanted, images, clock.nanos(), lock.newCondition());
            enqueue(asked);
            boolean hasComputed = false;
            while (!asked.isOver()) {
                if (isComputing) {
                    asked.awaitTurn();
                } else {
                    computeOneBatch();
                    hasComputed = true;
                }
            }
            if (hasComputed) {
                passOn();
            }
            return asked.outcome();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a request for which no thread waits. If the batcher is idle, it is computed before this returns; otherwise later,
     * and actions that depend on the outcome run in the thread that computed it.
     *
     * @return the future outcome, failed with what the computation of its batch threw; empty if the queue is full or closed,
     *     which is not counted as a refusal: {@link #answer} returns which
     */
    public Optional<CompletableFuture<PredictionOutcome>> offer(WantedVersion wanted, Images images) {
        CompletableFuture<PredictionOutcome> promise = new CompletableFuture<>();
        lock.lock();
        try {
            if (isClosed || isTooMuch(images)) {
                return Optional.empty();
            }
            boolean isAlone = queue.isEmpty() && !isComputing;
            enqueue(Waiting.withPromise(wanted, images, clock.nanos(), promise));
            if (isAlone) {
                computeOneBatch();
                passOn();
            }
        } finally {
            lock.unlock();
        }
        return Optional.of(promise);
    }

    private void enqueue(Waiting asked) {
        queue.addLast(asked);
        queuedImages += asked.images.count();
        queuedBytes += asked.images.bytes();
        arrived.signal();
    }

    /**
     * Ensures that queued requests are computed.
     *
     * <p>INVARIANT: while a request is queued and nothing computes, the first request's thread is awake, or the batcher's own
     * is.
     */
    private void passOn() {
        if (!isComputing && !queue.isEmpty() && !queue.getFirst().wakeThread()) {
            own.execute(this::computeOffered);
        }
    }

    private void computeOffered() {
        lock.lock();
        try {
            while (!isComputing && !queue.isEmpty() && !queue.getFirst().hasThread()) {
                computeOneBatch();
            }
            passOn();
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
            List<PredictionOutcome> outcomes = compute(batch);
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).end(outcomes.get(i));
            }
        } catch (RuntimeException | Error failure) {
            batch.forEach(waiting -> waiting.fail(failure));
        } finally {
            isComputing = false;
            if (queue.isEmpty()) {
                drained.signalAll();
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

    /** Computes and completes the promises without the lock: actions that depend on them may be slow. */
    private List<PredictionOutcome> compute(List<Waiting> batch) {
        lock.unlock();
        try {
            List<PredictionOutcome> outcomes = computer.answer(
                    batch.get(0).wanted,
                    batch.stream().map(waiting -> waiting.images).toList());
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).keepPromise(outcomes.get(i));
            }
            return outcomes;
        } catch (RuntimeException | Error failure) {
            batch.forEach(waiting -> waiting.breakPromise(failure));
            throw failure;
        } finally {
            lock.lock();
        }
    }

    /** Returns the number of images in the queue. */
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

    /** Admits no more requests, and returns once all earlier ones are answered. */
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
        own.shutdown();
    }
}
