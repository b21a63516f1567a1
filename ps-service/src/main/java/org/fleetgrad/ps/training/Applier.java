package org.fleetgrad.ps.training;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PutOutcome;
import org.fleetgrad.ps.outcome.RollbackOutcome;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.parameters.InitialParameters;
import org.fleetgrad.ps.run.Precondition;
import org.fleetgrad.ps.run.Run;
import org.fleetgrad.ps.step.Gradient;
import org.fleetgrad.ps.work.ShardOutcome;
import org.fleetgrad.ps.work.WorkOutcome;

/**
 * The only way to change a run: takes submissions, and answers each when it is done and committed.
 *
 * <p>If the applier is idle, the request thread applies its own push, which saves a change of threads; in a few rounds it
 * also drains what others queue meanwhile. The applier's own thread does everything else. If a journal is written, it does
 * all pushes too: a request thread may be interrupted, and an interrupt closes a file.
 *
 * <p>Submitting never blocks: if the queue is full, the answer is {@link SubmissionResult.Busy} at once. Thread-safe.
 */
public final class Applier implements AutoCloseable {

    private final Run run;
    private final boolean isJournaling;
    private final SubmissionQueue queue;
    private final AtomicBoolean isCheckQueued = new AtomicBoolean();

    /**
     * @param isJournaling whether each push waits for a disk
     */
    Applier(Run run, boolean isJournaling, SubmissionQueue queue) {
        this.run = run;
        this.isJournaling = isJournaling;
        this.queue = queue;
    }

    /** Queues a gradient for the applier's own thread. */
    public CompletableFuture<SubmissionResult<PushOutcome>> push(Gradient gradient) {
        Submission<PushOutcome> work = new Submission<>(() -> run.trainer().push(gradient), true);
        queue.enqueue(work);
        queue.wake();
        return work.answer();
    }

    /** Applies a gradient before it returns, if the calling thread may be the applier; else queues it. */
    public CompletableFuture<SubmissionResult<PushOutcome>> apply(Gradient gradient) {
        return runOrQueue(() -> run.trainer().push(gradient));
    }

    /** Stages a gradient until another server has decided about it. */
    public CompletableFuture<SubmissionResult<PushOutcome>> stage(Gradient gradient) {
        return runOrQueue(() -> run.staging().stage(gradient));
    }

    /** Commits a staged gradient. */
    public CompletableFuture<SubmissionResult<PushOutcome>> commit(String worker, long sequence) {
        return runOrQueue(() -> run.staging().commit(worker, sequence));
    }

    /**
     * Returns the outcome of a push.
     *
     * @param isOver whether it will no longer arrive
     */
    public CompletableFuture<SubmissionResult<PushOutcome>> ask(String worker, long sequence, boolean isOver) {
        return submit(() -> run.staging().ask(worker, sequence, isOver));
    }

    /** Decides that a push does not count. */
    public CompletableFuture<SubmissionResult<PushOutcome>> drop(String worker, long sequence) {
        return submit(() -> run.staging().drop(worker, sequence));
    }

    /** Runs a submission of the hot routes, in the calling thread if that may be the applier. */
    private CompletableFuture<SubmissionResult<PushOutcome>> runOrQueue(Callable<SubmissionResult<PushOutcome>> call) {
        if (isJournaling) {
            return submit(call);
        }
        Submission<PushOutcome> work = new Submission<>(call, true);
        queue.enqueue(work);
        queue.drain();
        return work.answer();
    }

    /** Notes that a worker has no gradient for the step from a version; the outcome names the newest version. */
    public CompletableFuture<SubmissionResult<PushOutcome>> pass(String worker, ParameterVersion version) {
        return submit(() -> run.trainer().pass(worker, version));
    }

    /** Replaces the complete parameter set. */
    public CompletableFuture<SubmissionResult<PutOutcome>> put(
            InitialParameters parameters, Precondition precondition) {
        return submit(() -> run.lifecycle().put(parameters, precondition));
    }

    /** Rolls back to a checkpoint. */
    public CompletableFuture<SubmissionResult<RollbackOutcome>> rollBack(long checkpoint) {
        return submit(() -> run.lifecycle().rollBack(checkpoint));
    }

    /** Sets the work plan of the run. */
    public CompletableFuture<SubmissionResult<WorkOutcome>> putWork(WorkPlan plan) {
        return submit(() -> run.assignments().put(plan));
    }

    /** Assigns a worker its shard, or the next one. */
    public CompletableFuture<SubmissionResult<ShardOutcome>> nextShard(String worker) {
        return submit(() -> run.assignments().next(worker));
    }

    /** Releases a worker's shard, and returns how much of it is done. */
    public CompletableFuture<SubmissionResult<ShardOutcome>> completeShard(String worker, long epoch, int shard) {
        return submit(() -> run.assignments().complete(worker, epoch, shard));
    }

    /**
     * Makes the applier check the members again. One queued check covers any number of changes, so a flood of registrations
     * leaves the queue to gradients. If the queue is full, the check is lost, and the next tick repeats it.
     */
    public void membershipChanged() {
        if (!isCheckQueued.compareAndSet(false, true)) {
            return;
        }
        CompletableFuture<SubmissionResult<Boolean>> unused = submit(() -> {
                    // Before the check: a change from here on needs another check.
                    isCheckQueued.set(false);
                    run.trainer().membershipChanged();
                    return new SubmissionResult.Done<>(true);
                })
                .whenComplete((answer, lost) -> isCheckQueued.set(false));
    }

    /** Returns how many submissions are queued. */
    public int queued() {
        return queue.queued();
    }

    /** Returns a future that completes when the run is recovered, or fails if it cannot be. */
    public CompletableFuture<Void> recovered() {
        return queue.recovered();
    }

    /** Returns why submissions are refused; empty while they are accepted. */
    public Optional<String> failure() {
        return queue.failure();
    }

    private <T> CompletableFuture<SubmissionResult<T>> submit(Callable<SubmissionResult<T>> call) {
        Submission<T> work = new Submission<>(call);
        queue.enqueue(work);
        queue.wake();
        return work.answer();
    }

    /** Refuses new submissions, and returns when everything in the queue is done and committed. */
    @Override
    public void close() {
        queue.close();
    }
}
