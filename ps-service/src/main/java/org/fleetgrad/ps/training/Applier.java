package org.fleetgrad.ps.training;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.fleetgrad.ps.training.PushOutcome.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that changes parameters, and the bounded queue before it.
 *
 * <p>Submitting never blocks: a push that finds the queue full is answered {@link Reason#BUSY} at once.
 */
public final class Applier implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Applier.class);

    private final Trainer trainer;
    private final int capacity;
    private final BlockingQueue<Runnable> queue;
    private final ThreadPoolExecutor thread;

    Applier(Trainer trainer, int capacity) {
        this.trainer = trainer;
        this.capacity = capacity;
        this.queue = new ArrayBlockingQueue<>(capacity);
        this.thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, queue, work -> {
            Thread applier = Executors.defaultThreadFactory().newThread(work);
            applier.setName("applier");
            applier.setDaemon(true);
            return applier;
        });
    }

    /** Queues a gradient; completes with what became of it. */
    public CompletableFuture<PushOutcome> push(Gradient gradient) {
        return submit(() -> trainer.push(gradient), this::busy);
    }

    /** Queues a write of the whole parameter set; completes with what became of it. */
    public CompletableFuture<PutOutcome> put(InitialParameters parameters, Precondition precondition) {
        return submit(() -> trainer.put(parameters, precondition), () -> new PutOutcome.Busy(busy().detail()));
    }

    /** Queues word that workers may have come or gone. A full queue loses it; it is said again at every tick of the leases. */
    public void membershipChanged() {
        try {
            thread.execute(() -> {
                try {
                    trainer.membershipChanged();
                } catch (RuntimeException bug) {
                    LOG.error("a step after a change of membership failed", bug);
                }
            });
        } catch (RejectedExecutionException full) {
            LOG.debug("{} submissions wait: the next tick says it again", capacity);
        }
    }

    /** Returns how many submissions wait. */
    public int queued() {
        return queue.size();
    }

    private PushOutcome.Refused busy() {
        return new PushOutcome.Refused(
                Reason.BUSY, "%d gradients wait already, which is as many as may".formatted(capacity));
    }

    private <T> CompletableFuture<T> submit(Supplier<T> work, Supplier<T> whenFull) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            thread.execute(() -> complete(result, work));
        } catch (RejectedExecutionException full) {
            complete(result, whenFull);
        }
        return result;
    }

    private static <T> void complete(CompletableFuture<T> result, Supplier<T> work) {
        try {
            result.complete(work.get());
        } catch (Throwable failure) {
            // Errors too: a buffer that finds no memory must fail its request, not leave it waiting for ever.
            result.completeExceptionally(failure);
        }
    }

    /** Takes nothing more, and returns when what was queued is done. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
