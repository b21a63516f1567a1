package org.fleetgrad.ps.run;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.step.PendingStep;
import org.fleetgrad.ps.step.StagedGradients;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a run: its parameters, pending gradients, members, and what it remembers. {@link Trainer} and
 * {@link Lifecycle} change it. Confined to the applier, except for {@link #generation}.
 */
final class LiveRun {

    private final Supplier<String> generations;
    private final Memory memory;
    private final PendingStep pending;
    private final StagedGradients staged;
    private final ServedVersions served;
    private final Members members;
    private volatile String generation;
    private @Nullable LiveState state;
    // Set when a change was journaled or persisted but then failed in memory: memory and disk no longer agree.
    private @Nullable Throwable failedChange;

    LiveRun(
            Supplier<String> generations,
            Memory memory,
            PendingStep pending,
            StagedGradients staged,
            ServedVersions served,
            Members members) {
        this.generations = generations;
        this.generation = generations.get();
        this.memory = memory;
        this.pending = pending;
        this.staged = staged;
        this.served = served;
        this.members = members;
    }

    /** Returns the id of the history; any thread may call this. */
    String generation() {
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
    void empty() {
        state = null;
    }

    Memory memory() {
        return memory;
    }

    PendingStep pending() {
        return pending;
    }

    StagedGradients staged() {
        return staged;
    }

    ServedVersions served() {
        return served;
    }

    Members members() {
        return members;
    }

    /** Returns the newest version. */
    ParameterVersion version() {
        return requireNow().version();
    }

    /** Returns a copy of everything that a restart needs. */
    TrainingState state() {
        return memory.with(
                requireNow(), pending.state(), staged.state(), served.history().state(), members.all());
    }

    /** Returns what {@link #state} will be once a history has begun at {@code first}. */
    TrainingState stateAtBeginning(LiveState first) {
        return memory.with(first, Optional.empty(), List.of(), new TreeMap<>(), members.all());
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
