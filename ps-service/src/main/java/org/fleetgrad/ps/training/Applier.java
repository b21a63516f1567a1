package org.fleetgrad.ps.training;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.ps.training.PushOutcome.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place where parameters change, and the bounded queue before it: whoever has its turn is the applier.
 *
 * <p>A push that nobody is before is applied in its request's own thread, which costs no change of threads; what comes
 * meanwhile, that thread does too, for a few rounds. Everything else, all that is left, and all of it where a journal is
 * written, is done by a thread of the applier's own: a request's thread may be interrupted, and an interrupt closes a
 * file.
 *
 * <p>What waits together is done together: one commit and one publication for all of it, and the answers after them. A
 * commit that fails is the end: nobody knows what the disk holds, so nothing more is taken until a restart reads it.
 * Submitting never blocks: a push that finds the queue full is answered {@link Reason#BUSY} at once.
 */
public final class Applier implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Applier.class);

    /** As many as share a commit: with more, the first of them would wait too long for its answer. */
    private static final int MOST_TOGETHER = 16;

    /** Rounds that a request's thread does for others before it goes back to its own client. */
    private static final int MOST_ROUNDS = 4;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long PATIENCE_MS = 120_000;

    private final Trainer trainer;
    private final int capacity;
    private final Origin origin;
    private final boolean isJournaling;
    private final BlockingQueue<Submission<?>> queue;
    private final ReentrantLock turn = new ReentrantLock();
    private final Thread thread = new Thread(this::run, "applier");
    private final CompletableFuture<Void> recovered = new CompletableFuture<>();
    private volatile boolean isClosing;
    private volatile boolean isOver;
    private volatile boolean isOpen;
    private volatile @Nullable String failure;

    /**
     * @param isJournaling whether what a push does waits for a disk
     */
    Applier(Trainer trainer, int capacity, Origin origin, boolean isJournaling) {
        this.trainer = trainer;
        this.origin = origin;
        this.isJournaling = isJournaling;
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
        CompletableFuture<PushOutcome> result = queue(gradient);
        LockSupport.unpark(thread);
        return result;
    }

    /**
     * Applies a gradient, in the calling thread where that may be, and returns what became of it.
     *
     * @throws ExecutionException where applying it failed with a bug
     */
    public PushOutcome apply(Gradient gradient) throws InterruptedException, ExecutionException {
        CompletableFuture<PushOutcome> result = queue(gradient);
        if (isOpen && !isJournaling) {
            takeTurns();
        } else {
            LockSupport.unpark(thread);
        }
        return result.get();
    }

    private CompletableFuture<PushOutcome> queue(Gradient gradient) {
        return enqueue(
                () -> trainer.push(gradient),
                why -> new PushOutcome.Refused(Reason.NOT_DURABLE, why),
                () -> new PushOutcome.Refused(Reason.BUSY, busy()));
    }

    /** Queues word that a worker has no gradient for the step from a version; completes with where the server is now. */
    public CompletableFuture<PushOutcome> pass(String worker, ParameterVersion version) {
        return submit(
                () -> trainer.pass(worker, version),
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

    private <T> CompletableFuture<T> submit(Callable<T> call, Function<String, T> whenLost, Supplier<T> whenFull) {
        CompletableFuture<T> result = enqueue(call, whenLost, whenFull);
        LockSupport.unpark(thread);
        return result;
    }

    private <T> CompletableFuture<T> enqueue(Callable<T> call, Function<String, T> whenLost, Supplier<T> whenFull) {
        Submission<T> work = new Submission<>(call, whenLost);
        if (isClosing || !queue.offer(work)) {
            work.refuse(whenFull.get());
        } else if (isOver && queue.remove(work)) {
            work.refuse(whenFull.get());
        }
        return work.result();
    }

    /**
     * Does what waits, unless somebody is at it: who is sees what was queued meanwhile, since it looks again after its
     * turn. What is there after the last round is left to the applier's own thread.
     */
    private void takeTurns() {
        for (int round = 0; round < MOST_ROUNDS && !queue.isEmpty(); round++) {
            if (!turn.tryLock()) {
                return;
            }
            try {
                takeTogether();
            } finally {
                turn.unlock();
            }
        }
        if (!queue.isEmpty()) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        turn.lock();
        try {
            trainer.recover(origin);
            isOpen = true;
            recovered.complete(null);
        } catch (Throwable unrecoverable) {
            failure = "what was kept could not be brought back: " + unrecoverable.getMessage();
            abandon();
            isOver = true;
            recovered.completeExceptionally(unrecoverable);
            return;
        } finally {
            turn.unlock();
        }
        boolean isWhole = false;
        try {
            while (!isClosing || !queue.isEmpty()) {
                await();
                turn.lockInterruptibly();
                try {
                    takeTogether();
                } finally {
                    turn.unlock();
                }
            }
            isWhole = true;
        } catch (InterruptedException stopped) {
            LOG.warn("the applier was stopped in the middle of its work");
        }
        end(isWhole);
    }

    private void await() throws InterruptedException {
        if (queue.isEmpty() && !isClosing) {
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private void end(boolean isWhole) {
        turn.lock();
        try {
            if (isWhole) {
                trainer.close(true);
            }
        } catch (IOException | RuntimeException unwritable) {
            LOG.error("the last state could not be kept", unwritable);
        } finally {
            isOver = true;
            for (Submission<?> left = queue.poll(); left != null; left = queue.poll()) {
                left.lose("the server is stopping");
            }
            turn.unlock();
        }
    }

    private void abandon() {
        try {
            trainer.close(false);
        } catch (IOException | RuntimeException unclosed) {
            LOG.warn("the disk could not be let go of", unclosed);
        }
    }

    /** Does what waits, up to a bound, as one commit, and tells who waits for it. */
    private void takeTogether() {
        if (isOver) {
            return;
        }
        List<Submission<?>> together = new ArrayList<>();
        for (Submission<?> work = queue.poll();
                work != null;
                work = together.size() < MOST_TOGETHER ? queue.poll() : null) {
            if (failure == null) {
                work.run();
            }
            together.add(work);
        }
        if (!together.isEmpty() && failure == null) {
            rest();
        }
        String why = failure;
        together.forEach(why == null ? Submission::answer : work -> work.lose(why));
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
        LockSupport.unpark(thread);
        try {
            thread.join(PATIENCE_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
