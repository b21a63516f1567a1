package org.fleetgrad.ps.training;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.work.WorkQueue;

/** One run's training, put together: what the rest of the service needs of it. */
public final class Training implements AutoCloseable {

    private final TrainingSettings settings;
    private final Leases leases;
    private final Memory memory = new Memory();
    private final GradientBuffers buffers = new GradientBuffers();
    private final Trainer trainer;
    private final Applier applier;

    /**
     * Goes on from what {@code durability} kept, in the background, or from {@code origin}.
     *
     * @param generations draws the id of a history
     * @param origin      what to begin from where nothing was kept
     */
    public Training(
            TrainingSettings settings,
            Supplier<String> generations,
            PublishedParameters published,
            Leases leases,
            TrainingListener listener,
            Durability durability,
            Origin origin) {
        this.settings = settings;
        this.leases = leases;
        this.trainer = new Trainer(settings, generations, published, leases, memory, listener, buffers, durability);
        this.applier = new Applier(trainer, settings.queueCapacity(), origin, durability.isJournaling()).start();
    }

    /** Returns how the run trains. */
    public TrainingSettings settings() {
        return settings;
    }

    /** Returns the id of the run's history. */
    public String generation() {
        return trainer.generation();
    }

    /** Returns what takes gradients. */
    public Applier applier() {
        return applier;
    }

    /** Returns the arrays that gradients are read into. */
    public GradientBuffers buffers() {
        return buffers;
    }

    /** Returns the counts. */
    public TrainingStatistics statistics() {
        return memory.statistics();
    }

    /** Returns how far the work is, where the run has any. */
    public Optional<WorkQueue.Figures> work() {
        return memory.work().figures();
    }

    /** Returns the highest sequence number remembered of a worker, 0 for none. */
    public long highestSequence(String worker) {
        return memory.ledger().highest(worker);
    }

    /**
     * Tells whether a worker may begin another iteration, or would be further ahead of the slowest than the mode allows.
     * Who asks without a name may.
     */
    public boolean mayBegin(Optional<String> worker) {
        if (!(settings.mode() instanceof TrainingMode.Ssp ssp) || worker.isEmpty()) {
            return true;
        }
        return memory.clocks().lead(worker.get(), leases.liveIds()) <= ssp.maxLead();
    }

    /** Tells whether what was kept has been brought back; where that failed, the server ends and never was. */
    public boolean isRecovered() {
        CompletableFuture<Void> recovered = applier.recovered();
        return recovered.isDone() && !recovered.isCompletedExceptionally();
    }

    /** Says why nothing is taken now, where that is so: what was kept is still being brought back, or the disk failed. */
    public Optional<String> unreadiness() {
        Optional<String> failure = applier.failure();
        if (failure.isPresent() || applier.recovered().isDone()) {
            return failure;
        }
        return Optional.of("what was kept is still being brought back");
    }

    @Override
    public void close() {
        applier.close();
    }
}
