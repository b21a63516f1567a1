package org.fleetgrad.ps.run;

import java.util.function.Supplier;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.BufferPool;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.step.Barrier;
import org.fleetgrad.ps.step.PendingStep;
import org.fleetgrad.ps.step.PushChecks;
import org.fleetgrad.ps.step.StagedGradients;
import org.fleetgrad.ps.work.Assignments;

/** One run, assembled. The applier changes it; {@link #generation} and {@link #memory} are for any thread. */
public final class Run {

    private final Memory memory;
    private final LiveRun live;
    private final Trainer trainer;
    private final Staging staging;
    private final Lifecycle lifecycle;
    private final Assignments assignments;

    /**
     * Makes a run without parameters.
     *
     * @param generations draws the id of a history
     * @param course      receives the recovered time series of the run
     * @param buffers     pool that takes back the arrays of applied and refused gradients
     */
    public Run(
            TrainingSettings settings,
            Supplier<String> generations,
            PublishedParameters published,
            Leases leases,
            RunHistory course,
            TrainingListener listener,
            BufferPool<float[]> buffers,
            TrainingStore store) {
        this.memory = new Memory(course);
        PendingStep pending = new PendingStep(buffers, settings.mode().aggregation());
        StagedGradients staged = new StagedGradients(buffers);
        ServedVersions served = new ServedVersions(settings, published, memory.statistics());
        this.live = new LiveRun(generations, memory, pending, staged, served, new Members(leases, store, memory));
        PushChecks checks = new PushChecks(
                settings, leases, memory.ledger(), memory.clocks(), memory.work(), pending, served.history());
        Barrier barrier = new Barrier(settings.mode(), leases);
        this.trainer = new Trainer(settings, live, checks, barrier, staged, listener, buffers, store);
        this.staging = new Staging(live, checks, trainer, staged, buffers, store);
        this.lifecycle =
                new Lifecycle(settings, live, new Replayer(settings, live, trainer, staging), leases, listener, store);
        this.assignments = new Assignments(memory.work(), leases, new JournaledShards(live, store));
    }

    /** Returns the trainer, which takes gradients. */
    public Trainer trainer() {
        return trainer;
    }

    /** Returns the stage for gradients that another server decides about. */
    public Staging staging() {
        return staging;
    }

    /** Returns the gradients that another server decides about; any thread may call this. */
    public StagedGradients staged() {
        return live.staged();
    }

    /** Returns the lifecycle, which begins, recovers and ends the run. */
    public Lifecycle lifecycle() {
        return lifecycle;
    }

    /** Returns what assigns the shards. The work is persisted with the run's state, so not before the first parameter set. */
    public Assignments assignments() {
        live.requireConsistent();
        return assignments;
    }

    /** Returns the id of the run's history. */
    public String generation() {
        return live.generation();
    }

    /** Returns what the run remembers besides its parameters. */
    public Memory memory() {
        return memory;
    }
}
