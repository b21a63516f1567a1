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
import java.util.function.BiFunction;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.PredictionOutcome.Closing;
import org.fleetgrad.serving.PredictionOutcome.Full;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.policy.WantedVersion;

/**
 * Computes concurrent requests as one batch. Of the threads that wait for an answer, one computes a batch for all, and then the
 * next one does. So a single request costs no thread switch. Submitted requests, for which no thread waits, are computed by the
 * batcher's own thread until none is left: it is woken once, and not once per answer.
 *
 * <p>A request that finds the batcher idle is computed at once, alone: waiting for others would only make an idle server slow.
 * While a batch computes, further requests queue up, and they are the next batch. Only if two or more are queued, and they do
 * not fill a batch, do they wait for others, until the first of them has waited for the delay. With 32 clients, delays of 1 ms
 * and 5 ms made batches no larger than those that queue up anyway (ADR 29). Requests for different versions, or of different
 * shapes, are never in one batch. Thread-safe; {@link #predict} blocks until there is an outcome, {@link #submit} does not wait
 * for others.
 */
public final class Batcher implements AutoCloseable {

    private static final long IDLE_SECONDS = 10;

    private final BiFunction<WantedVersion, List<Images>, List<PredictionOutcome>> model;
    private final BatchLimits limits;
    private final BatchListener listener;
    private final BatchClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition drained = lock.newCondition();
    private final Deque<QueuedRequest> queue = new ArrayDeque<>();
    private final ExecutorService batchThread;
    private final LongAdder batches = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private int queuedImages;
    private long queuedBytes;
    private boolean isComputing;
    private boolean isClosed;

    /**
     * Makes a batcher.
     *
     * @param model computes all requests with one version, and returns one outcome for each, in order; a
     *     {@code LiveModel} does
     */
    public Batcher(BiFunction<WantedVersion, List<Images>, List<PredictionOutcome>> model, BatchLimits limits) {
        this(model, limits, BatchListener.NONE);
    }

    /** @param listener hears of each batch, and of each of its requests */
    public Batcher(
            BiFunction<WantedVersion, List<Images>, List<PredictionOutcome>> model,
            BatchLimits limits,
            BatchListener listener) {
        this(model, limits, listener, BatchClock.MACHINE);
    }

    Batcher(
            BiFunction<WantedVersion, List<Images>, List<PredictionOutcome>> model,
            BatchLimits limits,
            BatchListener listener,
            BatchClock clock) {
        this.model = model;
        this.limits = limits;
        this.listener = listener;
        this.clock = clock;
        this.batchThread = batchThread();
    }

    /** The thread is started on demand, and ends after an idle time. */
    private static ExecutorService batchThread() {
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
    public PredictionOutcome predict(WantedVersion wanted, Images images) {
        lock.lock();
        try {
            if (isClosed) {
                return new Closing();
            }
            if (exceedsQueue(images)) {
                refused.increment();
                return new Full(queuedImages, limits.queueImages(), queuedBytes, limits.queueBytes());
            }
            QueuedRequest request = QueuedRequest.withThread(wanted, images, clock.nanos(), lock.newCondition());
            enqueue(request);
            boolean hasComputed = false;
            while (!request.isDone()) {
                if (isComputing) {
                    request.await();
                } else {
                    computeOneBatch();
                    hasComputed = true;
                }
            }
            if (hasComputed) {
                wakeNext();
            }
            return request.outcome();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a request for which no thread waits. If the batcher is idle, it is computed before this returns; otherwise later,
     * and actions that depend on the outcome run in the thread that computed it.
     *
     * @return the future outcome, failed with what the computation of its batch threw; empty if the queue is full or closed,
     *     which is not counted as a refusal: {@link #predict} returns which
     */
    public Optional<CompletableFuture<PredictionOutcome>> submit(WantedVersion wanted, Images images) {
        CompletableFuture<PredictionOutcome> promise = new CompletableFuture<>();
        lock.lock();
        try {
            if (isClosed || exceedsQueue(images)) {
                return Optional.empty();
            }
            boolean isAlone = queue.isEmpty() && !isComputing;
            enqueue(QueuedRequest.withPromise(wanted, images, clock.nanos(), promise));
            if (isAlone) {
                computeOneBatch();
                wakeNext();
            }
        } finally {
            lock.unlock();
        }
        return Optional.of(promise);
    }

    private void enqueue(QueuedRequest request) {
        queue.addLast(request);
        queuedImages += request.images.count();
        queuedBytes += request.images.bytes();
        arrived.signal();
    }

    /**
     * Ensures that queued requests are computed.
     *
     * <p>INVARIANT: while a request is queued and nothing computes, the first request's thread is awake, or the batcher's own
     * is.
     */
    private void wakeNext() {
        if (!isComputing && !queue.isEmpty() && !queue.getFirst().wakeThread()) {
            batchThread.execute(this::computeQueue);
        }
    }

    private void computeQueue() {
        lock.lock();
        try {
            while (!isComputing && !queue.isEmpty() && !queue.getFirst().hasThread()) {
                computeOneBatch();
            }
            wakeNext();
        } finally {
            lock.unlock();
        }
    }

    private boolean exceedsQueue(Images images) {
        return !queue.isEmpty()
                && (queuedImages + images.count() > limits.queueImages()
                        || queuedBytes + images.bytes() > limits.queueBytes());
    }

    private void computeOneBatch() {
        isComputing = true;
        List<QueuedRequest> batch = List.of();
        try {
            awaitMoreRequests();
            batch = takeBatch();
            batches.increment();
            List<PredictionOutcome> outcomes = compute(batch);
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).complete(outcomes.get(i));
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

    private void awaitMoreRequests() {
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

    private List<QueuedRequest> takeBatch() {
        List<QueuedRequest> batch = new ArrayList<>();
        int images = 0;
        Iterator<QueuedRequest> waiting = queue.iterator();
        while (waiting.hasNext() && images < limits.images()) {
            QueuedRequest next = waiting.next();
            boolean isFirst = batch.isEmpty();
            if (isFirst || (next.canShareBatchWith(batch.get(0)) && images + next.images.count() <= limits.images())) {
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
    private List<PredictionOutcome> compute(List<QueuedRequest> batch) {
        lock.unlock();
        try {
            long begin = clock.nanos();
            List<PredictionOutcome> outcomes = model.apply(
                    batch.get(0).wanted,
                    batch.stream().map(waiting -> waiting.images).toList());
            report(batch, outcomes, begin);
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).completePromise(outcomes.get(i));
            }
            return outcomes;
        } catch (RuntimeException | Error failure) {
            batch.forEach(waiting -> waiting.failPromise(failure));
            throw failure;
        } finally {
            lock.lock();
        }
    }

    private void report(List<QueuedRequest> batch, List<PredictionOutcome> outcomes, long begin) {
        long nanos = clock.nanos() - begin;
        Optional<ParameterVersion> answering = Optional.empty();
        int images = 0;
        for (int i = 0; i < batch.size(); i++) {
            QueuedRequest request = batch.get(i);
            Optional<ParameterVersion> version = outcomes.get(i) instanceof PredictionResult result
                    ? Optional.of(result.version())
                    : Optional.empty();
            listener.answered(version, request.images.count(), begin - request.sinceNanos, nanos);
            images += version.isPresent() ? request.images.count() : 0;
            answering = version.isPresent() ? version : answering;
        }
        listener.computed(answering, images, nanos);
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
        batchThread.shutdown();
    }
}
