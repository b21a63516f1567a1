package org.fleetgrad.ps.training;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.ps.training.PushOutcome.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that changes parameters, and the bounded queue before it.
 *
 * <p>What waits together is done together: one commit and one publication for all of it, and the answers after them. A
 * commit that fails is the end: nobody knows what the disk holds, so nothing more is taken until a restart reads it.
 * Submitting never blocks: a push that finds the queue full is answered {@link Reason#BUSY} at once.
 */
public final class Applier implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Applier.class);

    /** As many as share a commit: with more, the first of them would wait too long for its answer. */
    private static final int MOST_TOGETHER = 16;

    private static final long LOOK_MS = 100;
    private static final long PATIENCE_MS = 120_000;

    private final Trainer trainer;
    private final int capacity;
    private final Origin origin;
    private final BlockingQueue<Work<?>> queue;
    private final Thread thread = new Thread(this::run, "applier");
    private final CompletableFuture<Void> recovered = new CompletableFuture<>();
    private volatile boolean isClosing;
    private volatile boolean isOver;
    private volatile @Nullable String failure;

    /** Something to do, and who waits for it. */
    private static final class Work<T> {
        private final Callable<T> work;
        private final Function<String, T> whenLost;
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private @Nullable T outcome;
        private @Nullable Throwable thrown;

        Work(Callable<T> work, Function<String, T> whenLost) {
            this.work = work;
            this.whenLost = whenLost;
        }

        @SuppressWarnings("CatchAndPrintStackTrace")
        void run() {
            try {
                outcome = work.call();
            } catch (Throwable failure) {
                // Errors too: a buffer that finds no memory must fail its request, not leave it waiting for ever.
                thrown = failure;
            }
        }

        void answer() {
            if (thrown != null) {
                result.completeExceptionally(thrown);
            } else {
                result.complete(outcome);
            }
        }

        void lose(String why) {
            result.complete(whenLost.apply(why));
        }
    }

    Applier(Trainer trainer, int capacity, Origin origin) {
        this.trainer = trainer;
        this.origin = origin;
        this.capacity = capacity;
        this.queue = new ArrayBlockingQueue<>(capacity);
        thread.setDaemon(true);
    }

    Applier start() {
        thread.start();
        return this;
    }

    /** Queues a gradient; completes with what became of it. */
    public CompletableFuture<PushOutcome> push(Gradient gradient) {
        return submit(
                () -> trainer.push(gradient),
                why -> new PushOutcome.Refused(Reason.NOT_DURABLE, why),
                () -> new PushOutcome.Refused(Reason.BUSY, busy()));
    }

    /** Queues a write of the whole parameter set; completes with what became of it. */
    public CompletableFuture<PutOutcome> put(InitialParameters parameters, Precondition precondition) {
        return submit(
                () -> trainer.put(parameters, precondition),
                PutOutcome.NotDurable::new,
                () -> new PutOutcome.Busy(busy()));
    }

    /** Queues a return to a checkpoint; completes with what became of it. */
    public CompletableFuture<RollbackOutcome> rollBack(long checkpoint) {
        return submit(
                () -> rolledBack(checkpoint), RollbackOutcome.NotDurable::new, () -> new RollbackOutcome.Busy(busy()));
    }

    /** Queues the work of the run; completes with what became of it. */
    public CompletableFuture<WorkOutcome> putWork(WorkPlan plan) {
        return submit(
                () -> trainer.assignments().put(plan), WorkOutcome.NotDurable::new, () -> new WorkOutcome.Busy(busy()));
    }

    /** Queues a worker's wish for a shard; completes with what it is answered. */
    public CompletableFuture<ShardOutcome> nextShard(String worker) {
        return aboutShard(() -> trainer.assignments().next(worker));
    }

    /** Queues a shard's return; completes with what the worker is answered. */
    public CompletableFuture<ShardOutcome> completeShard(String worker, long epoch, int shard) {
        return aboutShard(() -> trainer.assignments().complete(worker, epoch, shard));
    }

    private CompletableFuture<ShardOutcome> aboutShard(Callable<ShardOutcome> call) {
        return submit(
                call,
                why -> new ShardOutcome.Refused(ShardOutcome.Reason.NOT_DURABLE, why),
                () -> new ShardOutcome.Refused(ShardOutcome.Reason.BUSY, busy()));
    }

    private RollbackOutcome rolledBack(long checkpoint) {
        TrainingState kept;
        try {
            kept = trainer.read(checkpoint);
        } catch (IOException | IllegalArgumentException unusable) {
            return new RollbackOutcome.Unusable(String.valueOf(unusable.getMessage()));
        }
        try {
            return trainer.rollBack(kept);
        } catch (IOException unwritable) {
            return new RollbackOutcome.NotDurable(
                    "the checkpoint's state could not be kept as the newest: " + unwritable.getMessage());
        }
    }

    /** Queues word that workers may have come or gone. A full queue loses it; it is said again at every tick of the leases. */
    public void membershipChanged() {
        CompletableFuture<Boolean> unused = submit(
                () -> {
                    trainer.membershipChanged();
                    return true;
                },
                why -> false,
                () -> false);
    }

    /** Returns how many submissions wait. */
    public int queued() {
        return queue.size();
    }

    /** Returns what completes when what was kept has been brought back, or fails where it could not be. */
    public CompletableFuture<Void> recovered() {
        return recovered;
    }

    /** Says why nothing is taken any more, where that is so. */
    public Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    private String busy() {
        return "%d gradients wait already, which is as many as may".formatted(capacity);
    }

    private <T> CompletableFuture<T> submit(
            Callable<T> call, Function<String, T> whenLost, java.util.function.Supplier<T> whenFull) {
        Work<T> work = new Work<>(call, whenLost);
        if (isClosing || !queue.offer(work)) {
            work.result.complete(whenFull.get());
        } else if (isOver && queue.remove(work)) {
            work.result.complete(whenFull.get());
        }
        return work.result;
    }

    private void run() {
        try {
            trainer.recover(origin);
            recovered.complete(null);
        } catch (Throwable unrecoverable) {
            failure = "what was kept could not be brought back: " + unrecoverable.getMessage();
            abandon();
            isOver = true;
            recovered.completeExceptionally(unrecoverable);
            return;
        }
        try {
            while (takeTogether()) {
                // Each round is a commit.
            }
            trainer.close();
        } catch (IOException | RuntimeException unwritable) {
            LOG.error("the last state could not be kept", unwritable);
        } catch (InterruptedException stopped) {
            LOG.warn("the applier was stopped in the middle of its work");
        } finally {
            isOver = true;
            for (Work<?> left = queue.poll(); left != null; left = queue.poll()) {
                left.lose("the server is stopping");
            }
        }
    }

    private void abandon() {
        try {
            trainer.abandon();
        } catch (IOException | RuntimeException unclosed) {
            LOG.warn("the disk could not be let go of", unclosed);
        }
    }

    /** Does what waits, up to a bound, and tells who waits for it; tells whether there may be more. */
    private boolean takeTogether() throws InterruptedException {
        Work<?> first = queue.poll(LOOK_MS, TimeUnit.MILLISECONDS);
        if (first == null) {
            return !isClosing;
        }
        List<Work<?>> together = new ArrayList<>();
        for (Work<?> work = first; work != null; work = together.size() < MOST_TOGETHER ? queue.poll() : null) {
            if (failure == null) {
                work.run();
            }
            together.add(work);
        }
        if (failure == null) {
            rest();
        }
        String why = failure;
        together.forEach(why == null ? Work::answer : work -> work.lose(why));
        return !isClosing || !queue.isEmpty();
    }

    private void rest() {
        try {
            trainer.rest();
        } catch (IOException unknown) {
            failure =
                    "the disk did not confirm what was written to it (%s): the server takes nothing more until it is restarted"
                            .formatted(unknown.getMessage());
            LOG.error(failure, unknown);
        } catch (RuntimeException | Error bug) {
            failure = "the newest version could not be made (%s): the server takes nothing more until it is restarted"
                    .formatted(bug);
            LOG.error(failure, bug);
        }
    }

    /** Takes nothing more, and returns when what was queued is done and kept. */
    @Override
    public void close() {
        isClosing = true;
        // Wakes the thread where nothing waits.
        boolean unused = queue.offer(new Work<>(() -> true, why -> false));
        try {
            thread.join(PATIENCE_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
