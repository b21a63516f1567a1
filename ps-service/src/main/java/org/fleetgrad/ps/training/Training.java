package org.fleetgrad.ps.training;

import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;

/** One run's training, put together: what the rest of the service needs of it. */
public final class Training implements AutoCloseable {

    private final TrainingSettings settings;
    private final String generation;
    private final SequenceLedger ledger = new SequenceLedger();
    private final TrainingStatistics statistics = new TrainingStatistics();
    private final GradientBuffers buffers = new GradientBuffers();
    private final Applier applier;

    /** Begins a run of {@code generation} without parameters. */
    public Training(
            TrainingSettings settings,
            String generation,
            PublishedParameters published,
            Leases leases,
            TrainingListener listener) {
        this.settings = settings;
        this.generation = generation;
        Trainer trainer = new Trainer(settings, generation, published, leases, ledger, statistics, listener, buffers);
        this.applier = new Applier(trainer, settings.queueCapacity());
    }

    /** Returns how the run trains. */
    public TrainingSettings settings() {
        return settings;
    }

    /** Returns the id of the run's history. */
    public String generation() {
        return generation;
    }

    /** Returns the thread that takes gradients. */
    public Applier applier() {
        return applier;
    }

    /** Returns the arrays that gradients are read into. */
    public GradientBuffers buffers() {
        return buffers;
    }

    /** Returns the counts. */
    public TrainingStatistics statistics() {
        return statistics;
    }

    /** Returns the highest sequence number remembered of a worker, 0 for none. */
    public long highestSequence(String worker) {
        return ledger.highest(worker);
    }

    @Override
    public void close() {
        applier.close();
    }
}
