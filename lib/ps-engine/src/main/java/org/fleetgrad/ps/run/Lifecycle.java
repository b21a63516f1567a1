package org.fleetgrad.ps.run;

import java.io.IOException;
import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout.LayoutDifference;
import org.fleetgrad.protocol.work.ReportedProgress;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.parameters.FrozenValues;
import org.fleetgrad.ps.parameters.InitialParameters;
import org.fleetgrad.ps.parameters.ValueCount;
import org.fleetgrad.ps.persistence.Origin;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.work.WorkQueue;

/**
 * Begins, rolls back, recovers and ends a run.
 *
 * <p>Confined to the applier. A change is committed before any other thread sees it: neither an answer nor a served
 * version can be lost.
 */
public final class Lifecycle {

    private final TrainingSettings settings;
    private final Run run;
    private final Replayer replayer;
    private final Leases leases;
    private final TrainingListener listener;
    private final TrainingStore store;

    Lifecycle(TrainingSettings settings, Run run, Leases leases, TrainingListener listener, TrainingStore store) {
        this.settings = settings;
        this.run = run;
        this.replayer = new Replayer(run);
        this.leases = leases;
        this.listener = listener;
        this.store = store;
    }

    /**
     * Writes the complete parameter set: the first one begins the history, a later one overwrites as a new version. If
     * the set states its training progress, the version is its number of steps, so that versions count steps as in any
     * run.
     */
    public SubmissionResult<PutOutcome> put(InitialParameters given, Precondition precondition) {
        run.requireConsistent();
        Optional<LiveState> before = run.now();
        Optional<ParameterVersion> newest = before.map(LiveState::version);
        if (!precondition.holds(newest)) {
            return new SubmissionResult.Done<>(new PutOutcome.PreconditionFailed(newest));
        }
        Optional<LayoutDifference> difference = before.flatMap(now -> difference(now, given));
        if (difference.isPresent()) {
            return new SubmissionResult.Done<>(new PutOutcome.LayoutMismatch(
                    difference.get().tensor(), difference.get().message()));
        }
        long next = Math.max(
                newest.map(version -> version.version() + 1).orElse(0L),
                given.progress().map(ReportedProgress::steps).orElse(0L));
        FrozenValues values;
        try {
            values = new FrozenValues(settings.trainable(given.layout(), given.metadata()), given.values());
        } catch (IllegalArgumentException unfit) {
            return new SubmissionResult.Done<>(
                    new PutOutcome.LayoutMismatch(settings.freeze().toString(), "ps." + unfit.getMessage()));
        }
        String generationBefore = run.generation();
        if (before.filter(now -> !now.frozen().hasSameFrozen(values)).isPresent()) {
            // Workers pull the frozen tensors once in a generation.
            run.beginGeneration();
        }
        LiveState after = LiveState.of(
                values,
                given.metadata(),
                settings.newOptimizer(values.places().layout(), given.metadata()),
                new ParameterVersion(run.generation(), next));
        TrainingStatistics statistics = run.statistics();
        TrainingStatistics.State countsBefore = statistics.state();
        Optional<WorkQueue.State> workBefore = run.work().state();
        boolean isBegun = false;
        try {
            given.progress().ifPresent(progress -> reportProgress(progress, newest));
            // Gradients that were computed on the overwritten parameters do not fit the new ones: they are dropped.
            begin(after, Optional.empty());
            isBegun = true;
        } catch (IOException unwritable) {
            return new SubmissionResult.NotDurable<>("the parameter set could not be kept: " + unwritable.getMessage());
        } finally {
            if (!isBegun) {
                run.generation(generationBefore);
            }
            if (!isBegun && given.progress().isPresent()) {
                statistics.restore(countsBefore, statistics.buffered());
                run.work().restore(workBefore);
            }
        }
        return new SubmissionResult.Done<>(new PutOutcome.Accepted(after.version(), before.isEmpty()));
    }

    private void reportProgress(ReportedProgress progress, Optional<ParameterVersion> newest) {
        long before = newest.map(ParameterVersion::version).orElse(0L);
        run.statistics().stated(progress, Math.max(0, progress.steps() - before));
        run.work().advanceTo(progress.samples());
    }

    /** A run's layout and its network state never change. */
    private static Optional<LayoutDifference> difference(LiveState now, InitialParameters given) {
        return now.layout()
                .firstDifference(given.layout())
                .or(() -> ParameterState.in(now.metadata()).firstDifference(ParameterState.in(given.metadata())));
    }

    /** Rolls back to a checkpoint, in a new generation. */
    public SubmissionResult<RollbackOutcome> rollBack(long checkpoint) {
        TrainingState saved;
        try {
            saved = store.read(checkpoint);
        } catch (IOException | IllegalArgumentException unusable) {
            return new SubmissionResult.Done<>(new RollbackOutcome.Unusable(String.valueOf(unusable.getMessage())));
        }
        try {
            return new SubmissionResult.Done<>(rollBack(saved));
        } catch (IOException unwritable) {
            return new SubmissionResult.NotDurable<>(
                    "the checkpoint's state could not be kept as the newest: " + unwritable.getMessage());
        }
    }

    private RollbackOutcome rollBack(TrainingState saved) throws IOException {
        run.requireConsistent();
        if (run.now().isEmpty()) {
            return new RollbackOutcome.Unusable("the server has no parameter set yet: put one to /putParameter");
        }
        LiveState now = run.requireNow();
        Optional<LayoutDifference> difference = now.layout().firstDifference(saved.layout());
        if (difference.isPresent()) {
            return new RollbackOutcome.Unusable(difference.get().message());
        }
        LiveState then = LiveState.of(saved, settings);
        WorkQueue work = run.work();
        String generationBefore = run.generation();
        Optional<WorkQueue.State> workBefore = work.state();
        long samplesBefore = run.statistics().samples();
        boolean isBegun = false;
        run.beginGeneration();
        // The rollback undoes what was learned since the checkpoint, so that work must be repeated; if the checkpoint
        // has no work state, all of it.
        work.restore(
                saved.work().or(() -> workBefore.map(WorkQueue.State::anew)).map(WorkQueue.State::unheld));
        // The learning-rate schedule rolls back with the parameters.
        run.statistics().samples(saved.counts().samples());
        try {
            ParameterVersion version = saved.version().inGeneration(run.generation());
            // The checkpoint's work counts their samples as done.
            begin(then.withVersion(version), saved.pending());
            isBegun = true;
            return new RollbackOutcome.RolledBack(version);
        } finally {
            if (!isBegun) {
                run.generation(generationBefore);
                work.restore(workBefore);
                run.statistics().samples(samplesBefore);
            }
        }
    }

    /** Continues from a state that does not follow from the one before; if it cannot be persisted, nothing changes. */
    private void begin(LiveState after, Optional<TrainingState.Pending> pending) throws IOException {
        store.persist(run.stateAtBeginning(after, pending));
        // A first set that does not fit in memory leaves the run sound, without parameters: another may be put.
        boolean isFirst = run.now().isEmpty();
        run.setState(isFirst ? serve(after, pending) : run.applyJournaled(() -> serve(after, pending)));
        listener.parametersPut(after.version(), after.layout().size(), count(after));
    }

    private LiveState serve(LiveState first, Optional<TrainingState.Pending> pending) {
        run.pending().restore(pending);
        run.staged().clear();
        run.statistics().buffered(run.pending().gradients());
        run.history().clear();
        run.beginPublishing(first);
        return first;
    }

    /** Continues from what the store has; if it has nothing, begins from {@code origin}. */
    public void recover(Origin origin) throws IOException {
        store.recover(replayer);
        if (run.now().isEmpty()) {
            begin(origin.read());
            return;
        }
        LiveState now = run.requireNow();
        leases.restore(run.members().all());
        run.beginPublishing(now);
        listener.recovered(now.version(), count(now), run.statistics().samples());
    }

    private static ValueCount count(LiveState state) {
        return new ValueCount(state.frozen().count(), state.parameters().length);
    }

    private void begin(Origin.Beginning beginning) throws IOException {
        if (beginning instanceof Origin.Beginning.Parameters given) {
            SubmissionResult<PutOutcome> answer = put(given.parameters(), Precondition.ABSENT);
            if (answer instanceof SubmissionResult.NotDurable<PutOutcome> unwritable) {
                throw new IOException(unwritable.detail());
            }
            if (answer instanceof SubmissionResult.Done<PutOutcome> done
                    && done.outcome() instanceof PutOutcome.LayoutMismatch unfit) {
                throw new IOException(unfit.detail());
            }
        } else if (beginning instanceof Origin.Beginning.State other) {
            replayer.restore(other.state().inGeneration(run.generation()));
            LiveState now = run.requireNow();
            run.clearState();
            begin(now, Optional.empty());
        }
    }

    /** Releases the disk. Before that, persists the last state if {@code isPersisting} and the state is sound. */
    public void close(boolean isPersisting) throws IOException {
        store.close(
                isPersisting && run.now().isPresent() && run.isConsistent()
                        ? Optional.of(run.state())
                        : Optional.empty());
    }

    /** The outcome of a write of the complete parameter set. */
    public sealed interface PutOutcome {

        /**
         * It is now the parameter set.
         *
         * @param version   the version under which it is served
         * @param isInitial whether it began the history
         */
        record Accepted(ParameterVersion version, boolean isInitial) implements PutOutcome {}

        /** The precondition does not hold; {@code newest} is the version that the server has, if any. */
        record PreconditionFailed(Optional<ParameterVersion> newest) implements PutOutcome {}

        /** Its tensors are not those of the run. */
        record LayoutMismatch(String tensor, String detail) implements PutOutcome {}
    }

    /** The outcome of a rollback to a checkpoint. */
    public sealed interface RollbackOutcome {

        /**
         * The run continues from there, in a new generation.
         *
         * @param version the version under which it is served
         */
        record RolledBack(ParameterVersion version) implements RollbackOutcome {}

        /** There is no such checkpoint, or it cannot be used; the run is unchanged. */
        record Unusable(String detail) implements RollbackOutcome {}
    }

    /** The condition for a write of the complete parameter set. */
    @FunctionalInterface
    public interface Precondition {

        /** There is no parameter set yet: {@code If-None-Match: *}. */
        Precondition ABSENT = Optional::isEmpty;

        /** There is a parameter set of any version: {@code If-Match: *}. */
        Precondition PRESENT = Optional::isPresent;

        /** The newest version is this one: {@code If-Match} with an entity tag. */
        static Precondition is(String etag) {
            return newest ->
                    newest.filter(version -> version.etag().equals(etag)).isPresent();
        }

        /** Tells whether the write may proceed; {@code newest} is the version before it. */
        boolean holds(Optional<ParameterVersion> newest);
    }
}
