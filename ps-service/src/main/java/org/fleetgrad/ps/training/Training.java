package org.fleetgrad.ps.training;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.BufferPool;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.persistence.Origin;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.run.Run;
import org.fleetgrad.ps.run.TrainingListener;
import org.fleetgrad.ps.settings.TrainingMode;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.step.Gradient;
import org.fleetgrad.ps.work.Assignment;
import org.fleetgrad.ps.work.WorkQueue;

/** One run's training, assembled: what the other parts of the service need from it. Thread-safe. */
public final class Training implements AutoCloseable {

    private static final int SPARE_GRADIENTS = 16;

    private final TrainingSettings settings;
    private final Leases leases;
    private final BufferPool<float[]> buffers = BufferPool.ofFloats(SPARE_GRADIENTS);
    private final Run run;
    private final Applier applier;

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
        this(settings, generations, published, leases, course, listener, store, origin, Idle.PARKED);
    }

    /**
     * @param idle how the applier's own thread waits
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
            Idle idle) {
        this.settings = settings;
        this.leases = leases;
        this.run = new Run(settings, generations, published, leases, course, listener, buffers, store);
        SubmissionQueue queue = new SubmissionQueue(run.lifecycle(), origin, settings.queueCapacity(), idle);
        this.applier = new Applier(run, store.isJournaling(), queue.start());
    }

    /** Returns how the run trains. */
    public TrainingSettings settings() {
        return settings;
    }

    /** Returns the id of the run's history. */
    public String generation() {
        return run.generation();
    }

    /** Returns the applier, which takes submissions. */
    public Applier applier() {
        return applier;
    }

    /** Returns the pool of arrays for the values of gradients. */
    public BufferPool<float[]> buffers() {
        return buffers;
    }

    /** Returns the run's counters. */
    public TrainingStatistics statistics() {
        return run.memory().statistics();
    }

    /** Returns the progress of the work, if the run has any. */
    public Optional<WorkQueue.Figures> work() {
        return run.memory().work().figures();
    }

    /** Returns the shard that a worker holds, from the position it has reached. */
    public Optional<Assignment> shardOf(String worker) {
        return run.memory().work().heldBy(worker);
    }

    /** Returns the highest sequence number remembered for a worker, or 0 if there is none. */
    public long highestSequence(String worker) {
        long answered = run.memory().ledger().highest(worker);
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
     * Tells whether a worker may begin another iteration without getting further ahead of the slowest worker than the mode
     * allows. A caller without a name may.
     */
    public boolean mayBegin(Optional<String> worker) {
        if (!(settings.mode() instanceof TrainingMode.Ssp ssp) || worker.isEmpty()) {
            return true;
        }
        return run.memory().clocks().lead(worker.get(), leases.liveIds()) <= ssp.maxLead();
    }

    /** Tells whether the run is recovered. Stays false if recovery failed; then the server exits. */
    public boolean isRecovered() {
        CompletableFuture<Void> recovered = applier.recovered();
        return recovered.isDone() && !recovered.isCompletedExceptionally();
    }

    /** Returns why submissions are refused now: the run is being recovered, or the disk failed. Empty while they are accepted. */
    public Optional<String> unreadiness() {
        Optional<String> failure = applier.failure();
        if (failure.isPresent() || applier.recovered().isDone()) {
            return failure;
        }
        return Optional.of("the run is being recovered");
    }

    @Override
    public void close() {
        applier.close();
    }
}
