package org.fleetgrad.ps.training;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.parameters.BufferPool;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.parameters.InitialParameters;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.persistence.Origin;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.run.AddOutcome;
import org.fleetgrad.ps.run.Assignments.ShardOutcome;
import org.fleetgrad.ps.run.Assignments.WorkOutcome;
import org.fleetgrad.ps.run.Lifecycle.Precondition;
import org.fleetgrad.ps.run.Lifecycle.PutOutcome;
import org.fleetgrad.ps.run.Lifecycle.RollbackOutcome;
import org.fleetgrad.ps.run.Run;
import org.fleetgrad.ps.run.TrainingListener;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.work.WorkQueue;
import org.fleetgrad.ps.work.WorkQueue.Assignment;

/**
 * One run's training, and the only way to change it: takes submissions to the applier, and answers each when it is done
 * and committed.
 *
 * <p>If the applier is idle, the request thread applies its own push, which saves a change of threads; in a few rounds
 * it also drains what others queue meanwhile. The applier's own thread does everything else. If a journal is written,
 * it does all pushes too: a request thread may be interrupted, and an interrupt closes a file.
 *
 * <p>Submitting never blocks: if the queue is full, the answer is {@link SubmissionResult.Busy} at once. Thread-safe.
 */
public final class Training implements AutoCloseable {

    private static final int SPARE_GRADIENTS = 16;

    private final TrainingSettings settings;
    private final BufferPool<float[]> buffers = BufferPool.ofFloats(SPARE_GRADIENTS);
    private final Run run;
    private final TrainingStore store;
    private final SubmissionQueue queue;
    private final AtomicBoolean isCheckQueued = new AtomicBoolean();

    /**
     * Recovers what {@code store} has, in the background; if it has nothing, begins from {@code origin}.
     *
     * @param generations draws the id of a history
     * @param course      receives the recovered time series of the run
     */
    public Training(
            TrainingSettings settings,
            Supplier<String> generations,
            PublishedParameters published,
            Leases leases,
            RunHistory course,
            TrainingListener listener,
            TrainingStore store,
            Origin origin) {
        this(
                settings,
                generations,
                published,
                leases,
                course,
                listener,
                store,
                origin,
                new ApplierThread(ApplierThread.Idle.PARKED));
    }

    /**
     * @param applier runs the turns of the applier
     */
    Training(
            TrainingSettings settings,
            Supplier<String> generations,
            PublishedParameters published,
            Leases leases,
            RunHistory course,
            TrainingListener listener,
            TrainingStore store,
            Origin origin,
            Applier applier) {
        this.settings = settings;
        this.run = new Run(settings, generations, published, leases, course, listener, buffers, store);
        this.store = store;
        this.queue = new SubmissionQueue(run, origin, settings.queueCapacity(), applier).start();
    }

    /** Applies a gradient before it returns, if the calling thread may be the applier; else queues it. */
    public CompletableFuture<SubmissionResult<PushOutcome>> push(Gradient gradient) {
        return runOrQueue(() -> run.trainer().push(gradient));
    }

    /** Queues a gradient for the applier's own thread. */
    CompletableFuture<SubmissionResult<PushOutcome>> enqueue(Gradient gradient) {
        return queue.submit(() -> run.trainer().push(gradient), true);
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
    public CompletableFuture<SubmissionResult<PushOutcome>> outcomeOf(String worker, long sequence, boolean isOver) {
        return submit(() -> run.staging().outcomeOf(worker, sequence, isOver));
    }

    /** Decides that a push does not count. */
    public CompletableFuture<SubmissionResult<PushOutcome>> drop(String worker, long sequence) {
        return submit(() -> run.staging().drop(worker, sequence));
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

    public CompletableFuture<SubmissionResult<RollbackOutcome>> rollBack(long checkpoint) {
        return submit(() -> run.lifecycle().rollBack(checkpoint));
    }

    public CompletableFuture<SubmissionResult<WorkOutcome>> putWork(WorkPlan plan) {
        return submit(() -> run.assignments().put(plan));
    }

    /**
     * Adds a shard to the work, which is trained on once.
     *
     * @param number larger than that of every shard that was added before
     * @param after  the largest number that was added before, as far as the sender knows; -1 for none
     * @param share  the samples that are added in an epoch are at most this share of its own
     */
    public CompletableFuture<SubmissionResult<AddOutcome>> addWork(
            long number, long after, PlannedShard shard, double share) {
        return submit(() -> run.assignments().add(number, after, shard, share));
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
     * Makes the applier check the members again. One queued check covers any number of changes, so a flood of
     * registrations leaves the queue to gradients. If the queue is full, the check is lost, and the next tick repeats
     * it.
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

    /** Runs a submission of the hot routes, in the calling thread if that may be the applier. */
    private CompletableFuture<SubmissionResult<PushOutcome>> runOrQueue(Callable<SubmissionResult<PushOutcome>> call) {
        return store.isJournaling() ? submit(call) : queue.runOrQueue(call);
    }

    private <T> CompletableFuture<SubmissionResult<T>> submit(Callable<SubmissionResult<T>> call) {
        return queue.submit(call, false);
    }

    public int queued() {
        return queue.queued();
    }

    public TrainingSettings settings() {
        return settings;
    }

    /** Returns the id of the run's history. */
    public String generation() {
        return run.generation();
    }

    /** Returns the pool of arrays for the values of gradients. */
    public BufferPool<float[]> buffers() {
        return buffers;
    }

    public TrainingStatistics statistics() {
        return run.statistics();
    }

    /** Returns why the newest write to the disk failed, until one succeeds. */
    public Optional<String> writeFailure() {
        return store.writeFailure();
    }

    /** Returns the progress of the work, if the run has any. */
    public Optional<WorkQueue.Figures> work() {
        return run.work().figures();
    }

    /** Returns whether workers get no further shards, and are to end after their batch. */
    public boolean isWorkPaused() {
        return run.work().isPaused();
    }

    /** Returns the shard that a worker holds, from the position it has reached. */
    public Optional<Assignment> shardOf(String worker) {
        return run.work().heldBy(worker);
    }

    /** Returns the highest sequence number remembered for a worker, or 0 if there is none. */
    public long highestSequence(String worker) {
        long answered = run.ledger().highest(worker);
        return run.staged()
                .of(worker)
                .map(staged -> Math.max(answered, staged.metadata().sequence()))
                .orElse(answered);
    }

    /** Returns the gradients that another server decides about. */
    public List<GradientMetadata> staged() {
        return run.staged().all().stream().map(Gradient::metadata).toList();
    }

    /**
     * Tells whether a worker may begin another iteration without getting further ahead of the slowest worker than the
     * mode allows. A caller without a name may.
     */
    public boolean mayBegin(Optional<String> worker) {
        if (!(settings.mode() instanceof TrainingMode.Ssp ssp) || worker.isEmpty()) {
            return true;
        }
        return run.lead(worker.get()) <= ssp.maxLead();
    }

    /** Returns a future that completes when the run is recovered, or fails if it cannot be. */
    public CompletableFuture<Void> recovered() {
        return queue.recovered();
    }

    /** Tells whether the run is recovered. Stays false if recovery failed; then the server exits. */
    public boolean isRecovered() {
        CompletableFuture<Void> recovered = queue.recovered();
        return recovered.isDone() && !recovered.isCompletedExceptionally();
    }

    /** Returns why submissions are refused; empty while they are accepted. */
    public Optional<String> failure() {
        return queue.failure();
    }

    /**
     * Returns why submissions are refused now: the run is being recovered, or the disk failed. Empty while they are
     * accepted.
     */
    public Optional<String> unreadiness() {
        Optional<String> failure = queue.failure();
        if (failure.isPresent() || queue.recovered().isDone()) {
            return failure;
        }
        return Optional.of("the run is being recovered");
    }

    /** Refuses new submissions, and returns when everything in the queue is done and committed. */
    @Override
    public void close() {
        queue.close();
    }
}
