package org.fleetgrad.ps.run;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.parameters.BufferPool;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.parameters.ParameterHistory;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.step.PendingStep;
import org.fleetgrad.ps.step.StagedGradients;

/**
 * Turns gradients into steps: checks a push, journals it, applies it.
 *
 * <p>Confined to the applier. With one writer the arithmetic needs no lock, versions cannot tear, and the journal's
 * order can be replayed. Every change is journaled before it is made.
 */
public final class Trainer {

    private static final float[] NO_BASE = {};

    private final TrainingSettings settings;
    private final Run run;
    private final PushChecks checks;
    private final Leases leases;
    private final TrainingListener listener;
    private final BufferPool<float[]> buffers;
    private final TrainingStore store;
    private final PendingStep pending;
    private final StagedGradients staged;
    private final TrainingStatistics statistics;

    Trainer(
            TrainingSettings settings,
            Run run,
            PushChecks checks,
            Leases leases,
            TrainingListener listener,
            BufferPool<float[]> buffers,
            TrainingStore store) {
        this.settings = settings;
        this.run = run;
        this.checks = checks;
        this.leases = leases;
        this.listener = listener;
        this.buffers = buffers;
        this.store = store;
        this.staged = run.staged();
        this.pending = run.pending();
        this.statistics = run.statistics();
    }

    /** Takes a gradient, or refuses it. */
    public SubmissionResult<PushOutcome> push(Gradient gradient) {
        run.requireConsistent();
        SubmissionResult<PushOutcome> answer = checks.refusal(gradient)
                .<SubmissionResult<PushOutcome>>map(SubmissionResult.Done::new)
                .orElseGet(() -> take(gradient));
        if (!isTaken(answer)) {
            buffers.release(gradient.values());
        }
        statistics.pushed(answer);
        if (answer instanceof SubmissionResult.Done<PushOutcome> done) {
            listener.pushed(done.outcome());
            if (done.outcome() instanceof PushOutcome.Refused refused && refused.reason() == Reason.GRADIENT_NORM) {
                // It has no valid gradient for this step: the other workers do not wait for it.
                PushOutcome unused = passed(gradient.metadata().worker(), run.version());
            }
        }
        return answer;
    }

    private static boolean isTaken(SubmissionResult<PushOutcome> answer) {
        return answer instanceof SubmissionResult.Done<PushOutcome> done
                && (done.outcome() instanceof PushOutcome.Applied || done.outcome() instanceof PushOutcome.Buffered);
    }

    private SubmissionResult<PushOutcome> take(Gradient gradient) {
        GradientMetadata metadata = gradient.metadata();
        boolean makesStep = makesStep(metadata);
        try {
            run.members().admit(metadata.worker());
            store.append(new JournalEntry.Taken(gradient, makesStep));
        } catch (IOException unwritable) {
            return new SubmissionResult.NotDurable<>(
                    "the gradient could not be journaled, and was not taken: " + unwritable.getMessage());
        }
        return new SubmissionResult.Done<>(run.applyJournaled(() -> apply(gradient, makesStep)));
    }

    private boolean makesStep(GradientMetadata metadata) {
        return pending.isReachedWith(metadata.worker(), metadata.samples()) && !isUndecided(metadata.worker());
    }

    /**
     * Tells whether the step waits for the lead's decision on a staged gradient of a departed worker other than this
     * one.
     */
    private boolean isUndecided(String other) {
        // Called for each push. Only synchronous steps wait, and most runs stage nothing.
        if (!settings.mode().isSynchronous() || staged.isEmpty()) {
            return false;
        }
        Set<String> decided = new HashSet<>(leases.liveIds());
        decided.add(other);
        return staged.isUndecided(run.version().version(), decided);
    }

    /** Commits a staged gradient, because the lead took it. No rule can refuse it any more. */
    SubmissionResult<PushOutcome> commit(Gradient gradient) {
        GradientMetadata metadata = gradient.metadata();
        boolean makesStep = makesStep(metadata);
        try {
            run.members().admit(metadata.worker());
            store.append(new JournalEntry.Committed(metadata.worker(), metadata.sequence(), makesStep));
        } catch (IOException unwritable) {
            return new SubmissionResult.NotDurable<>(
                    "it could not be journaled that the gradient counts: " + unwritable.getMessage());
        }
        PushOutcome outcome = run.applyJournaled(() -> committed(metadata.worker(), metadata.sequence(), makesStep));
        SubmissionResult<PushOutcome> answer = new SubmissionResult.Done<>(outcome);
        statistics.pushed(answer);
        listener.pushed(outcome);
        return answer;
    }

    /** Applies a staged gradient; the journal has the entry already. */
    PushOutcome committed(String worker, long sequence, boolean makesStep) {
        return apply(staged.take(worker, sequence), makesStep);
    }

    /**
     * Returns the values that a gradient was computed on. If they are no longer retained, which only happens to a
     * gradient that was staged for long, returns the oldest that are.
     */
    private float[] base(LiveState now, long version) {
        ParameterHistory history = run.history();
        long available = Math.max(version, history.oldest(now.version().version()));
        return history.has(available) ? history.at(available) : now.parameters();
    }

    /** Applies a gradient as decided; a replay of the journal does the same. */
    PushOutcome apply(Gradient gradient, boolean makesStep) {
        LiveState now = run.requireNow();
        GradientMetadata metadata = gradient.metadata();
        // Here, and not when a worker leaves: served values may depend on its momentum, and a version's bytes never
        // change.
        now.optimizer().forgetOthers(run.members()::has);
        // No step is made while the gradient waits, so its staleness now is its staleness when it is applied.
        long staleness = now.version().version() - metadata.baseVersion();
        float[] observed = now.state().take(gradient.values());
        now.optimizer()
                .arrive(
                        metadata.worker(),
                        staleness,
                        gradient.values(),
                        now.optimizer().needsBase() ? base(now, metadata.baseVersion()) : NO_BASE,
                        now.parameters(),
                        settings.learningRate(statistics.samplesOfRun()));
        now.state().putBack(observed, gradient.values());
        pending.add(gradient);
        run.members().tick(metadata.worker());
        metadata.cursor().ifPresent(reached -> run.work().advance(metadata.worker(), reached));
        statistics.taken(metadata.worker(), staleness, pending.gradients());
        PushOutcome outcome = makesStep
                ? new PushOutcome.Applied(step(metadata.worker()), staleness)
                : new PushOutcome.Buffered(now.version().version());
        run.ledger().remember(metadata.worker(), metadata.sequence(), outcome, run.members()::has);
        return outcome;
    }

    /**
     * Makes a step from the pending gradients, and returns the version after it.
     *
     * @param worker whose gradient completed the step; empty if none did
     */
    long step(String worker) {
        LiveState now = run.requireNow();
        LiveState after = now.withVersion(
                new ParameterVersion(run.generation(), now.version().version() + 1));
        if (pending.isEmpty()) {
            // All workers passed: the version keeps up with the other partitions, and the parameters do not change.
            run.setState(after);
            listener.stepped(after.version(), 0, 0);
        } else {
            float[] mean = pending.combined();
            float[] observed = now.state().take(mean);
            now.optimizer().step(worker, now.parameters(), mean, settings.learningRate(statistics.samplesOfRun()));
            now.state().mergeInto(now.parameters(), observed, pending.meanBatches());
            run.setState(after);
            statistics.stepped(pending.samples(), pending.meanLoss());
            listener.stepped(after.version(), pending.gradients(), now.version().version() - pending.oldestBase());
        }
        pending.clear();
        return after.version().version();
    }

    /**
     * Notes that a worker has no gradient for the step from {@code version}. If the parameters are partitioned, a
     * worker may have begun after this step in another partition; without its pass, this step would wait until its
     * lease ends.
     */
    public SubmissionResult<PushOutcome> pass(String worker, ParameterVersion version) {
        run.requireConsistent();
        return new SubmissionResult.Done<>(passed(worker, version));
    }

    private PushOutcome passed(String worker, ParameterVersion version) {
        if (run.now().isEmpty()) {
            return PushChecks.noParameters();
        }
        Optional<PushOutcome> unknown = checks.membership(worker);
        // In other modes, or for another version, no step waits for this worker.
        if (unknown.isEmpty() && settings.mode().isSynchronous() && version.equals(run.version())) {
            pending.pass(worker);
            membershipChanged();
        }
        return unknown.orElseGet(() -> new PushOutcome.Buffered(run.version().version()));
    }

    /** Checks the barrier again after workers joined, left or passed: it may be complete now. */
    public void membershipChanged() {
        try {
            run.members().followLeases();
            if (run.isConsistent() && run.now().isPresent() && pending.isReached() && !isUndecided("")) {
                store.append(new JournalEntry.Stepped());
                long unused = run.applyJournaled(() -> step(""));
            }
        } catch (IOException unwritable) {
            // A change that could not be journaled was not made: the next tick retries.
            listener.notJournaled(unwritable);
        }
        // A worker that waits for a slower one may continue now.
        run.wakeReaders();
    }
}
