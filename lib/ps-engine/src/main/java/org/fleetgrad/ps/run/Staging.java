package org.fleetgrad.ps.run;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.parameters.BufferPool;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.step.StagedGradients;

/**
 * Stages gradients that another server decides about, and commits or drops them (ADR 31). A gradient of partitioned
 * parameters is staged at every server but the lead, then pushed to the lead. The outcome in the lead's ledger holds at
 * all servers. Confined to the applier.
 */
public final class Staging {

    private final Run run;
    private final PushChecks checks;
    private final StagedGradients staged;
    private final BufferPool<float[]> buffers;
    private final TrainingStore store;

    Staging(Run run, PushChecks checks, BufferPool<float[]> buffers, TrainingStore store) {
        this.run = run;
        this.checks = checks;
        this.staged = run.staged();
        this.buffers = buffers;
        this.store = store;
    }

    /** Stages a gradient, unapplied, until it is committed or dropped; or refuses it. */
    public SubmissionResult<PushOutcome> stage(Gradient gradient) {
        run.requireConsistent();
        Optional<PushOutcome> refusal = refusal(gradient);
        if (refusal.isPresent()) {
            buffers.release(gradient.values());
            return new SubmissionResult.Done<>(refusal.get());
        }
        Optional<String> full = staged.stagingRefusal(gradient);
        if (full.isPresent()) {
            buffers.release(gradient.values());
            return new SubmissionResult.Busy<>(full.get());
        }
        try {
            run.members().admit(gradient.metadata().worker());
            store.append(new JournalEntry.Staged(gradient));
        } catch (IOException unwritable) {
            buffers.release(gradient.values());
            return new SubmissionResult.NotDurable<>(
                    "the gradient could not be journaled, and was not staged: " + unwritable.getMessage());
        }
        staged.put(gradient);
        return new SubmissionResult.Done<>(new PushOutcome.Staged(run.version().version()));
    }

    private Optional<PushOutcome> refusal(Gradient gradient) {
        GradientMetadata metadata = gradient.metadata();
        Optional<PushOutcome> refusal = checks.refusalToStage(gradient);
        if (refusal.isPresent()) {
            return refusal;
        }
        // Another gradient with this sequence number is from an earlier worker with this id: late, or still undecided.
        return staged.of(metadata.worker())
                .filter(earlier ->
                        !earlier.metadata().equals(metadata) || !Arrays.equals(earlier.values(), gradient.values()))
                .map(earlier -> earlier.metadata().sequence())
                .map(sequence -> new PushOutcome.Refused(
                        Reason.UNSETTLED_GRADIENT,
                        "worker '%s' stages sequence %d, and sequence %d is staged: ask the lead what became of that, and settle it here first"
                                .formatted(metadata.worker(), metadata.sequence(), sequence)));
    }

    /** Commits a staged gradient: the lead took it. */
    public SubmissionResult<PushOutcome> commit(String worker, long sequence) {
        run.requireConsistent();
        Optional<PushOutcome> counted =
                decided(worker, sequence).filter(decided -> !(decided instanceof PushOutcome.Dropped));
        if (counted.isPresent()) {
            return new SubmissionResult.Done<>(counted.get());
        }
        Optional<Gradient> gradient = staged.of(worker, sequence);
        if (gradient.isEmpty()) {
            return new SubmissionResult.Done<>(new PushOutcome.Refused(
                    Reason.UNKNOWN_GRADIENT,
                    "sequence %d of worker '%s' is not staged here: push it".formatted(sequence, worker)));
        }
        return run.trainer().commit(gradient.get());
    }

    /**
     * Returns the outcome of a push here: {@link PushOutcome.Duplicate} if it counts, {@link PushOutcome.Dropped} if it
     * does not and never will, {@link PushOutcome.Undecided} if it may still arrive.
     *
     * @param isOver whether the push will not arrive: its worker asks, or is gone. Then it is dropped, and refused if
     *     it still arrives
     */
    public SubmissionResult<PushOutcome> outcomeOf(String worker, long sequence, boolean isOver) {
        if (isOver && run.now().isPresent()) {
            return drop(worker, sequence);
        }
        run.requireConsistent();
        return new SubmissionResult.Done<>(decided(worker, sequence).orElseGet(PushOutcome.Undecided::new));
    }

    /** Decides that a push does not count and never will, unless it counts already. */
    public SubmissionResult<PushOutcome> drop(String worker, long sequence) {
        run.requireConsistent();
        Optional<PushOutcome> decided = decided(worker, sequence);
        if (decided.isPresent()) {
            return new SubmissionResult.Done<>(decided.get());
        }
        try {
            store.append(new JournalEntry.Dropped(worker, sequence));
        } catch (IOException unwritable) {
            return new SubmissionResult.NotDurable<>(
                    "it could not be journaled that the gradient is given up: " + unwritable.getMessage());
        }
        dropped(worker, sequence);
        // A step may have waited for this decision.
        run.trainer().membershipChanged();
        return new SubmissionResult.Done<>(new PushOutcome.Dropped());
    }

    /** Returns the outcome of a push that the ledger knows. */
    private Optional<PushOutcome> decided(String worker, long sequence) {
        return run.ledger()
                .answered(worker, sequence)
                .map(first -> first instanceof PushOutcome.Dropped ? first : new PushOutcome.Duplicate(first));
    }

    /** Drops a push; the journal has the entry already. */
    void dropped(String worker, long sequence) {
        staged.drop(worker, sequence);
        run.ledger().remember(worker, sequence, new PushOutcome.Dropped(), run.members()::has);
    }
}
