package org.fleetgrad.ps.run;

import java.util.Optional;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.tensor.ObservedState;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.progress.SequenceLedger;
import org.fleetgrad.ps.settings.TrainingSettings;

/** Decides whether a well-formed gradient is taken; also recognizes duplicates. Confined to the applier. */
final class PushChecks {

    private final TrainingSettings settings;
    private final Leases leases;
    private final Run run;
    private final SequenceLedger ledger;

    PushChecks(TrainingSettings settings, Leases leases, Run run) {
        this.settings = settings;
        this.leases = leases;
        this.run = run;
        this.ledger = run.ledger();
    }

    /** Returns the outcome of a push that is not taken; empty if it is taken. */
    Optional<PushOutcome> refusal(Gradient gradient) {
        Optional<PushOutcome> refusal = refusal(gradient.metadata());
        return refusal.isPresent() ? refusal : lead(gradient.metadata()).or(() -> norm(gradient));
    }

    /**
     * Returns the outcome of a push that is not staged; empty if it is staged. The clocks of the workers do not matter: one
     * server, the lead, decides who is too far ahead.
     */
    Optional<PushOutcome> refusalToStage(Gradient gradient) {
        return refusal(gradient.metadata()).or(() -> norm(gradient));
    }

    private Optional<PushOutcome> refusal(GradientMetadata metadata) {
        if (run.now().isEmpty()) {
            return Optional.of(noParameters());
        }
        String worker = metadata.worker();
        long sequence = metadata.sequence();
        Optional<PushOutcome> first = ledger.answered(worker, sequence);
        if (first.isPresent() && first.get() instanceof PushOutcome.Dropped) {
            return refused(
                    Reason.DROPPED_GRADIENT,
                    "sequence %d of worker '%s' was given up while the worker was silent: pull and go on with the next number"
                            .formatted(sequence, worker));
        }
        if (first.isPresent()) {
            return first.map(PushOutcome.Duplicate::new);
        }
        if (ledger.isForgotten(worker, sequence)) {
            return refused(
                    Reason.SEQUENCE_TOO_OLD,
                    "worker '%s' pushed sequence %d; the server remembers the %d highest, up to %d"
                            .formatted(worker, sequence, SequenceLedger.WINDOW, ledger.highest(worker)));
        }
        Optional<PushOutcome> unknown = membership(worker);
        if (unknown.isPresent()) {
            return unknown;
        }
        if (!metadata.generation().equals(run.generation())) {
            return refused(
                    Reason.OTHER_GENERATION,
                    "the gradient is of generation '%s', the server's is '%s': pull and go on"
                            .formatted(metadata.generation(), run.generation()));
        }
        long version = run.version().version();
        if (metadata.baseVersion() > version) {
            return refused(
                    Reason.FUTURE_VERSION,
                    "the gradient's base version is %d, the newest is %d".formatted(metadata.baseVersion(), version));
        }
        return cursor(metadata).or(() -> staleness(metadata, version));
    }

    /**
     * Returns the refusal of a gradient whose norm exceeds the settings. Observed statistics at the positions of the
     * network's state are not part of a gradient, so the norm is that of the other values.
     */
    private Optional<PushOutcome> norm(Gradient gradient) {
        double largest = settings.largestNorm();
        if (largest == 0) {
            return Optional.empty();
        }
        ObservedState state = run.requireNow().state();
        float[] observed = state.take(gradient.values());
        double norm = norm(gradient.values());
        state.putBack(observed, gradient.values());
        if (norm <= largest) {
            return Optional.empty();
        }
        return refused(
                Reason.GRADIENT_NORM,
                "the gradient of worker '%s' has the norm %.4g, the largest that is taken is %.4g (ps.max-gradient-norm): compute it anew, or clip it"
                        .formatted(gradient.metadata().worker(), norm, largest));
    }

    private static double norm(float[] values) {
        double sum = 0;
        for (float value : values) {
            sum += (double) value * value;
        }
        return Math.sqrt(sum);
    }

    /** Returns the refusal of a worker without a running lease. */
    Optional<PushOutcome> membership(String worker) {
        if (leases.isLive(worker)) {
            return Optional.empty();
        }
        return refused(Reason.UNKNOWN_WORKER, leases.notLive(worker));
    }

    /** Returns the refusal of every push before the first parameter set. */
    static PushOutcome noParameters() {
        return new PushOutcome.Refused(
                Reason.NO_PARAMETERS, "the server has no parameter set yet: put one to /putParameter");
    }

    /** A gradient of a shard must be of the samples that come next in that shard, or samples would count twice. */
    private Optional<PushOutcome> cursor(GradientMetadata metadata) {
        return metadata.cursor()
                .flatMap(reached -> run.work().refusal(metadata.worker(), reached, metadata.samples()))
                .flatMap(detail -> refused(Reason.OTHER_CURSOR, detail));
    }

    private Optional<PushOutcome> staleness(GradientMetadata metadata, long version) {
        if (settings.mode().isSynchronous() && metadata.baseVersion() < version) {
            return refused(
                    Reason.STALE_GRADIENT,
                    "the gradient's base version is %d, synchronous training takes %d only: pull and go on"
                            .formatted(metadata.baseVersion(), version));
        }
        if (settings.mode() instanceof TrainingMode.Sync && run.pending().has(metadata.worker())) {
            return refused(
                    Reason.STALE_GRADIENT,
                    "worker '%s' has already pushed for version %d: wait for the next"
                            .formatted(metadata.worker(), version));
        }
        if (settings.rule().needsBase() && !isBaseKept(metadata.baseVersion(), version)) {
            return refused(
                    Reason.STALE_GRADIENT,
                    "the gradient's base version is %d; the rule %s needs its values, and the server keeps those since version %d: pull and go on"
                            .formatted(
                                    metadata.baseVersion(),
                                    settings.rule(),
                                    run.history().oldest(version)));
        }
        return Optional.empty();
    }

    /**
     * Checks the number first, so that a replayed journal decides the same. In a run, the history evicts an old version only
     * when a newer one is served, and several steps may come before that; a replay evicts one at every step.
     */
    private boolean isBaseKept(long base, long newest) {
        return base >= run.history().oldest(newest) && run.history().has(base);
    }

    private Optional<PushOutcome> lead(GradientMetadata metadata) {
        if (!(settings.mode() instanceof TrainingMode.Ssp ssp)) {
            return Optional.empty();
        }
        long lead = run.lead(metadata.worker());
        if (lead <= ssp.maxLead()) {
            return Optional.empty();
        }
        return refused(
                Reason.TOO_FAR_AHEAD,
                "worker '%s' is %d iterations ahead of the slowest, %d are allowed: wait for the next version"
                        .formatted(metadata.worker(), lead, ssp.maxLead()));
    }

    private static Optional<PushOutcome> refused(Reason reason, String detail) {
        return Optional.of(new PushOutcome.Refused(reason, detail));
    }
}
