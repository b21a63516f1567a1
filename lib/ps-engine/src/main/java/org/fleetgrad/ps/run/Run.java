package org.fleetgrad.ps.run;

import java.io.IOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.BufferPool;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.parameters.ParameterHistory;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.progress.SequenceLedger;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.step.PendingStep;
import org.fleetgrad.ps.step.StagedGradients;
import org.fleetgrad.ps.work.WorkQueue;
import org.jspecify.annotations.Nullable;

/**
 * The current state of one run, and the parts that change it: {@link Trainer}, {@link Staging}, {@link Lifecycle} and
 * {@link Assignments}. Confined to the applier; any thread may call {@link #generation} and {@link #lead}, and read the
 * ledger, the statistics, the work and the staged gradients.
 */
public final class Run {

    private final TrainingSettings settings;
    private final Supplier<String> generations;
    private final PublishedParameters published;
    private final TrainingStore store;
    private final RunHistory course;
    private final SequenceLedger ledger = new SequenceLedger();
    private final TrainingStatistics statistics = new TrainingStatistics();
    private final WorkQueue work = new WorkQueue();
    private final PendingStep pending;
    private final StagedGradients staged;
    /** The values of recent published versions, if the staleness rule needs those that a gradient was computed on. */
    private final ParameterHistory history;

    private final Members members;
    private final Trainer trainer;
    private final Staging staging;
    private final Lifecycle lifecycle;
    private final Assignments assignments;
    private volatile String generation;
    private @Nullable LiveState state;
    // Set when a change was journaled or persisted but then failed in memory: memory and disk no longer agree.
    private @Nullable Throwable failedChange;

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
        this.settings = settings;
        this.generations = generations;
        this.generation = generations.get();
        this.published = published;
        this.store = store;
        this.course = course;
        this.pending = new PendingStep(buffers, settings.mode(), leases);
        this.staged = new StagedGradients(buffers);
        this.history = new ParameterHistory(settings.history());
        this.members = new Members(leases, store, statistics, work);
        PushChecks checks = new PushChecks(settings, leases, this);
        this.trainer = new Trainer(settings, this, checks, leases, listener, buffers, store);
        this.staging = new Staging(this, checks, buffers, store);
        this.lifecycle = new Lifecycle(settings, this, leases, listener, store);
        this.assignments = new Assignments(this, leases, store);
    }

    public Trainer trainer() {
        return trainer;
    }

    /** Returns the part that stages gradients until another server has decided about them. */
    public Staging staging() {
        return staging;
    }

    public Lifecycle lifecycle() {
        return lifecycle;
    }

    /**
     * Returns what assigns the shards. The work is persisted with the run's state, so not before the first parameter
     * set.
     */
    public Assignments assignments() {
        requireConsistent();
        return assignments;
    }

    /** Returns how recent pushes were answered. */
    public SequenceLedger ledger() {
        return ledger;
    }

    public TrainingStatistics statistics() {
        return statistics;
    }

    /** Returns how many iterations a worker is ahead of the slowest live one; 0 if it is no member. */
    public long lead(String worker) {
        return members.lead(worker);
    }

    public WorkQueue work() {
        return work;
    }

    /** Returns the gradients that another server decides about. */
    public StagedGradients staged() {
        return staged;
    }

    PendingStep pending() {
        return pending;
    }

    ParameterHistory history() {
        return history;
    }

    Members members() {
        return members;
    }

    /** Returns the id of the run's history. */
    public String generation() {
        return generation;
    }

    /** Draws a new id for the history that follows. */
    void beginGeneration() {
        generation = generations.get();
    }

    /** Continues under an id that was drawn before. */
    void generation(String other) {
        generation = other;
    }

    /** Returns the parameters and their version; empty before the first parameter set. */
    Optional<LiveState> now() {
        return Optional.ofNullable(state);
    }

    /** Returns the parameters and their version, of a run that has some. */
    LiveState requireNow() {
        return now().orElseThrow();
    }

    void setState(LiveState after) {
        state = after;
    }

    /** Removes the parameters, as if none had been put yet. */
    void clearState() {
        state = null;
    }

    ParameterVersion version() {
        return requireNow().version();
    }

    /** Returns a copy of everything that a restart needs. */
    TrainingState state() {
        return state(requireNow(), pending.state(), staged.state(), history.state());
    }

    /** Returns what {@link #state} will be once a history has begun at {@code first}, with gradients for its next step. */
    TrainingState stateAtBeginning(LiveState first, Optional<TrainingState.Pending> ofStep) {
        return state(first, ofStep, List.of(), new TreeMap<>());
    }

    private TrainingState state(
            LiveState live,
            Optional<TrainingState.Pending> ofStep,
            List<Gradient> undecided,
            NavigableMap<Long, float[]> values) {
        return new TrainingState(
                live.version(),
                live.layout(),
                live.metadata(),
                live.all(),
                live.optimizer().state().copy(),
                ofStep,
                undecided,
                ledger.state(),
                members.clocks(),
                members.all(),
                statistics.state(),
                values,
                work.state(),
                course.state());
    }

    /** Continues from the state of an earlier process. */
    void restore(TrainingState saved) {
        generation = saved.version().generation();
        LiveState restored = LiveState.of(saved, settings);
        state = restored;
        ledger.restore(saved.answers());
        work.restore(saved.work());
        course.restore(saved.course());
        // Before the history, because the learning rate of published versions depends on the count of samples.
        statistics.restore(
                saved.counts(),
                saved.pending().map(TrainingState.Pending::gradients).orElse(0));
        pending.restore(saved.pending());
        staged.restore(saved.staged());
        history.restore(saved.history());
        // The state that begins a history is persisted before it is published, so its history lacks its own values.
        retainForBase(restored);
        members.restore(saved.members(), saved.clocks());
    }

    /**
     * Commits the changes since the last commit, and only then publishes the newest version: neither an answer nor a
     * published version can be lost.
     */
    public void commitAndPublish() throws IOException {
        requireConsistent();
        store.commit();
        LiveState now = state;
        if (now == null) {
            return;
        }
        if (published.version().filter(now.version()::equals).isEmpty()) {
            publish(now);
        }
        store.checkpointIfDue(now.version(), members.isEmpty(), this::state);
    }

    /** Begins to publish a layout or a generation that was not published before. */
    void beginPublishing(LiveState first) {
        published.begin(first.frozen(), first.metadata(), first.version().generation());
        // If slow readers of the previous history leave no memory for it, the next commit tries again.
        publish(first);
    }

    private void publish(LiveState now) {
        float[] served = served(now);
        if (published.publish(now.version(), served) && now.optimizer().needsBase()) {
            history.add(now.version().version(), served);
        }
    }

    /** Retains the values without publishing them: a replay does not know which versions were published. */
    void retainForBase(LiveState now) {
        if (now.optimizer().needsBase()) {
            history.add(now.version().version(), served(now));
        }
    }

    private float[] served(LiveState now) {
        return now.optimizer().served(now.parameters(), settings.learningRate(statistics.samplesOfRun()));
    }

    /** Wakes requests that wait for another version, or for slower workers, to re-check. */
    void wakeReaders() {
        published.wake();
    }

    /** Makes a change that is journaled already; if it fails, the run refuses every later change. */
    <T> T applyJournaled(Supplier<T> change) {
        try {
            return change.get();
        } catch (RuntimeException | Error failed) {
            failedChange = failed;
            throw failed;
        }
    }

    boolean isConsistent() {
        return failedChange == null;
    }

    /**
     * Refuses every change after a change was written to the disk but failed in memory. A restart repeats it from the
     * journal.
     */
    void requireConsistent() {
        if (failedChange != null) {
            throw new IllegalStateException("a change is on the disk, but could not be made in memory", failedChange);
        }
    }
}
