package org.fleetgrad.ps.training;

import java.io.IOException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.fleetgrad.optim.StalenessAwareOptimizer;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.PushOutcome.Reason;
import org.fleetgrad.ps.work.WorkState;
import org.jspecify.annotations.Nullable;

/**
 * The parameters and what moves them: takes gradients one after the other, and publishes the newest version when it is at
 * rest.
 *
 * <p>Belongs to the applier. One writer means no lock around the arithmetic, versions that cannot tear, and an order
 * that a journal can repeat. What was decided is journaled before it is done, and what was done is committed before anybody
 * sees it: neither an answer nor a served version can be lost.
 */
final class Trainer implements Durability.Replay {

    private static final float[] NO_BASE = {};

    private final TrainingSettings settings;
    private final Supplier<String> generations;
    private final ServedVersions served;
    private final Leases leases;
    private final Memory memory;
    private final TrainingStatistics statistics;
    private final TrainingListener listener;
    private final GradientBuffers buffers;
    private final Durability durability;
    private final PendingStep pending;
    private final PushChecks checks;
    private final Barrier barrier;
    private final Members members;
    private final Assignments assignments;
    private volatile String generation;
    private @Nullable LiveState state;
    // What was journaled and then not done: memory and journal no longer agree.
    private @Nullable Throwable undone;

    Trainer(
            TrainingSettings settings,
            Supplier<String> generations,
            PublishedParameters published,
            Leases leases,
            Memory memory,
            TrainingListener listener,
            GradientBuffers buffers,
            Durability durability) {
        this.settings = settings;
        this.generations = generations;
        this.generation = generations.get();
        this.served = new ServedVersions(settings, published);
        this.leases = leases;
        this.memory = memory;
        this.statistics = memory.statistics();
        this.listener = listener;
        this.buffers = buffers;
        this.durability = durability;
        this.pending = new PendingStep(buffers);
        this.checks = new PushChecks(settings, leases, memory, pending, served.history());
        this.barrier = new Barrier(settings.mode(), leases);
        this.members = new Members(leases, durability, memory);
        this.assignments = new Assignments(memory.work(), members, leases, durability, this::keep);
    }

    /** Returns the id of the history; any thread may ask. */
    String generation() {
        return generation;
    }

    PutOutcome put(InitialParameters given, Precondition precondition) {
        requireSound();
        LiveState before = state;
        Optional<ParameterVersion> newest = Optional.ofNullable(before).map(LiveState::version);
        if (!precondition.holds(newest)) {
            return new PutOutcome.PreconditionFailed(newest);
        }
        if (before != null) {
            Optional<TensorLayout.LayoutDifference> difference = before.layout().firstDifference(given.layout());
            if (difference.isPresent()) {
                return new PutOutcome.LayoutMismatch(
                        difference.get().tensor(), difference.get().message());
            }
        }
        long next = newest.map(version -> version.version() + 1).orElse(0L);
        LiveState after = new LiveState(
                given.layout(),
                given.metadata(),
                given.values(),
                settings.newOptimizer(given.values().length),
                new ParameterVersion(generation, next));
        try {
            // Gradients on what was overwritten say nothing about what is there now.
            begin(after);
        } catch (IOException unwritable) {
            return new PutOutcome.NotDurable("the parameter set could not be kept: " + unwritable.getMessage());
        }
        return new PutOutcome.Accepted(after.version(), before == null);
    }

    /** Goes back to a state that was kept, as the beginning of another history. */
    RollbackOutcome rollBack(TrainingState kept) throws IOException {
        requireSound();
        LiveState now = state;
        if (now == null) {
            return new RollbackOutcome.Unusable("the server has no parameter set yet: put one to /putParameter");
        }
        Optional<TensorLayout.LayoutDifference> difference = now.layout().firstDifference(kept.layout());
        if (difference.isPresent()) {
            return new RollbackOutcome.Unusable(difference.get().message());
        }
        StalenessAwareOptimizer optimizer = settings.optimizer(kept);
        String before = generation;
        Optional<WorkState> workBefore = memory.work().state();
        boolean isBegun = false;
        generation = generations.get();
        // What was learned since is undone, and is to be learned again: all of it where there was no work yet.
        memory.work()
                .restore(kept.work().or(() -> workBefore.map(WorkState::anew)).map(WorkState::unheld));
        try {
            ParameterVersion version = kept.version().inGeneration(generation);
            begin(new LiveState(now.layout(), kept.metadata(), kept.parameters(), optimizer, version));
            isBegun = true;
            return new RollbackOutcome.RolledBack(version);
        } finally {
            if (!isBegun) {
                generation = before;
                memory.work().restore(workBefore);
            }
        }
    }

    /** Goes on from a state that does not follow from the one before; on a failure everything is as it was. */
    private void begin(LiveState after) throws IOException {
        durability.keep(memory.with(after, Optional.empty(), new TreeMap<>(), members.all()));
        try {
            pending.clear();
            statistics.dropped();
            served.history().clear();
            served.begin(after);
        } catch (RuntimeException | Error failed) {
            // A first set that is too large for the memory leaves the run without parameters, and another may be put.
            undone = state == null ? null : failed;
            throw failed;
        }
        state = after;
        listener.parametersPut(after.version(), after.layout().size(), after.parameters().length);
    }

    PushOutcome push(Gradient gradient) {
        requireSound();
        PushOutcome outcome = refusal(gradient.metadata()).orElse(null);
        if (outcome == null) {
            outcome = take(gradient);
        }
        if (outcome instanceof PushOutcome.Refused || outcome instanceof PushOutcome.Duplicate) {
            buffers.giveBack(gradient.values());
        }
        statistics.pushed(outcome);
        listener.pushed(outcome);
        return outcome;
    }

    private Optional<PushOutcome> refusal(GradientMetadata metadata) {
        LiveState now = state;
        if (now == null) {
            return Optional.of(PushChecks.noParameters());
        }
        return checks.refusal(metadata, generation, now.version().version());
    }

    private PushOutcome take(Gradient gradient) {
        GradientMetadata metadata = gradient.metadata();
        boolean isSteps = barrier.isReachedWith(pending, metadata.worker(), metadata.samples());
        try {
            members.admit(metadata.worker());
            durability.append(new JournalEntry.Taken(metadata, gradient.values(), isSteps));
        } catch (IOException unwritable) {
            return new PushOutcome.Refused(
                    Reason.NOT_DURABLE,
                    "the gradient could not be journaled, and was not taken: " + unwritable.getMessage());
        }
        return doJournaled(() -> apply(gradient, isSteps));
    }

    /** Returns the work, and who has which of it: kept with the newest state, or with the first there will be. */
    Assignments assignments() {
        requireSound();
        return assignments;
    }

    private void keep() throws IOException {
        if (state != null) {
            durability.keep(state());
        }
    }

    private <T> T doJournaled(Supplier<T> deed) {
        try {
            return deed.get();
        } catch (RuntimeException | Error failed) {
            undone = failed;
            throw failed;
        }
    }

    /** Nothing more is taken where the journal has what memory has not: a restart does it again from the journal. */
    private void requireSound() {
        if (undone != null) {
            throw new IllegalStateException("what was kept could not be done", undone);
        }
    }

    /** Does what was decided, the same way whether for the first time or again. */
    private PushOutcome apply(Gradient gradient, boolean isSteps) {
        LiveState now = Optional.ofNullable(state).orElseThrow();
        GradientMetadata metadata = gradient.metadata();
        // Not when they leave: what is served may depend on what is kept of them, and a version's bytes never change.
        now.optimizer().forgetOthers(members::has);
        // No step is made while it waits, so what it lags now is what it will lag when it is applied.
        long staleness = now.version().version() - metadata.baseVersion();
        now.optimizer()
                .arrive(
                        metadata.worker(),
                        staleness,
                        gradient.values(),
                        now.optimizer().needsBase() ? served.history().at(metadata.baseVersion()) : NO_BASE,
                        now.parameters(),
                        settings.learningRate(now.version()));
        pending.add(gradient);
        memory.clocks().tick(metadata.worker());
        metadata.cursor().ifPresent(reached -> memory.work().advance(metadata.worker(), reached));
        statistics.taken(metadata.worker(), staleness, pending.gradients());
        PushOutcome outcome = isSteps
                ? new PushOutcome.Applied(step(now, metadata.worker()), staleness)
                : new PushOutcome.Buffered(now.version().version());
        memory.ledger().remember(metadata.worker(), metadata.sequence(), outcome);
        return outcome;
    }

    /** Makes the step from {@code now} and returns the version after it. */
    private long step(LiveState now, String worker) {
        LiveState after = now.at(new ParameterVersion(generation, now.version().version() + 1));
        if (pending.isEmpty()) {
            // All have passed: the version follows the other partitions', and the parameters have learned nothing.
            state = after;
            listener.stepped(after.version(), 0, 0);
        } else {
            now.optimizer().step(worker, now.parameters(), pending.mean(), settings.learningRate(now.version()));
            state = after;
            statistics.stepped(pending.samples(), pending.meanLoss());
            listener.stepped(after.version(), pending.gradients(), now.version().version() - pending.oldestBase());
        }
        pending.clear();
        return after.version().version();
    }

    /**
     * Takes word that a worker has no gradient for the step from {@code version}. Where the parameters are partitioned a
     * worker may have begun behind this step in another partition, and would be waited for here until its lease runs out.
     */
    PushOutcome pass(String worker, ParameterVersion version) {
        requireSound();
        if (state == null) {
            return PushChecks.noParameters();
        }
        Optional<PushOutcome> stranger = checks.membership(worker);
        // Else nobody waits for it, or nobody does any more.
        if (stranger.isEmpty() && settings.mode().isSynchronous() && version.equals(version())) {
            pending.pass(worker);
            membershipChanged();
        }
        return stranger.orElseGet(() -> new PushOutcome.Buffered(version().version()));
    }

    /** Others may be live than before: a barrier may be complete, or may have nobody left to wait for. */
    void membershipChanged() {
        try {
            members.follow();
            LiveState now = state;
            if (undone == null && now != null && barrier.isReachedBy(pending)) {
                durability.append(new JournalEntry.Stepped());
                long unused = doJournaled(() -> step(now, ""));
            }
        } catch (IOException unwritable) {
            // Nothing of what could not be journaled was done: the next tick tries again.
            listener.notJournaled(unwritable);
        }
        // Who waits for a slower worker may wait no longer.
        served.wake();
    }

    /** Commits what was done, and only then lets others see it. */
    void rest() throws IOException {
        requireSound();
        durability.commit();
        LiveState now = state;
        if (now == null) {
            return;
        }
        if (!served.isNewest(now)) {
            served.publish(now);
        }
        durability.atRest(now.version(), this::state);
    }

    /** Goes on from what was kept, or begins from {@code origin} where nothing was. */
    void recover(Origin origin) throws IOException {
        durability.recover(this);
        LiveState now = state;
        if (now == null) {
            begin(origin.read());
            return;
        }
        leases.restore(members.all());
        served.begin(now);
        listener.recovered(now.version(), statistics.snapshot().samples());
    }

    private void begin(Origin.Beginning beginning) throws IOException {
        if (beginning instanceof Origin.Beginning.Parameters given) {
            PutOutcome outcome = put(given.parameters(), new Precondition.Absent());
            if (outcome instanceof PutOutcome.NotDurable unwritable) {
                throw new IOException(unwritable.detail());
            }
        } else if (beginning instanceof Origin.Beginning.State other) {
            restore(other.state().inGeneration(generation));
            LiveState now = Optional.ofNullable(state).orElseThrow();
            state = null;
            begin(now);
        }
    }

    /** Lets go of the disk, once the last state is kept there where that is wanted and it is sound. */
    void close(boolean isKeeping) throws IOException {
        durability.close(isKeeping && state != null && undone == null ? Optional.of(state()) : Optional.empty());
    }

    TrainingState read(long checkpoint) throws IOException {
        return durability.read(checkpoint);
    }

    @Override
    public ParameterVersion version() {
        return Optional.ofNullable(state).orElseThrow().version();
    }

    @Override
    public TrainingState state() {
        LiveState now = Optional.ofNullable(state).orElseThrow();
        return memory.with(now, pending.state(), served.history().state(), members.all());
    }

    @Override
    public void restore(TrainingState kept) {
        generation = kept.version().generation();
        state = new LiveState(
                kept.layout(), kept.metadata(), kept.parameters().clone(), settings.optimizer(kept), kept.version());
        pending.restore(kept.pending());
        served.history().restore(kept.history());
        // A state that begins a history was kept before it was served: what follows it was computed on it all the same.
        served.remember(state);
        members.restore(kept.members());
        memory.restore(kept);
    }

    @Override
    public void replay(JournalEntry entry) {
        LiveState now = Optional.ofNullable(state).orElseThrow();
        if (entry instanceof JournalEntry.Taken taken) {
            statistics.pushed(apply(new Gradient(taken.metadata(), taken.values()), taken.isSteps()));
        } else if (entry instanceof JournalEntry.Stepped) {
            step(now, "");
        } else if (entry instanceof JournalEntry.Joined came) {
            members.joined(came.worker());
        } else if (entry instanceof JournalEntry.Left gone) {
            members.left(gone.worker());
        } else {
            assignments.replay(entry);
        }
        served.remember(Optional.ofNullable(state).orElseThrow());
    }

    @Override
    public void beginGeneration() {
        generation = generations.get();
        LiveState now = state;
        if (now != null) {
            state = now.at(now.version().inGeneration(generation));
        }
    }
}
