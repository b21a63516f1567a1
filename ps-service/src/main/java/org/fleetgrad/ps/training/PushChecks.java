package org.fleetgrad.ps.training;

import java.util.Optional;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.ParameterHistory;
import org.fleetgrad.ps.training.PushOutcome.Reason;
import org.fleetgrad.ps.work.WorkQueue;

/** Says why a well-formed gradient is not taken; belongs to the applier. */
final class PushChecks {

    private final TrainingSettings settings;
    private final Leases leases;
    private final SequenceLedger ledger;
    private final WorkerClocks clocks;
    private final PendingStep pending;
    private final ParameterHistory history;
    private final WorkQueue work;

    PushChecks(TrainingSettings settings, Leases leases, Memory memory, PendingStep pending, ParameterHistory history) {
        this.settings = settings;
        this.leases = leases;
        this.ledger = memory.ledger();
        this.clocks = memory.clocks();
        this.work = memory.work();
        this.pending = pending;
        this.history = history;
    }

    /** Returns what the push is answered where it is not taken; nothing where it is. */
    Optional<PushOutcome> refusal(GradientMetadata metadata, String generation, long version) {
        String worker = metadata.worker();
        long sequence = metadata.sequence();
        Optional<PushOutcome> before = ledger.answered(worker, sequence);
        if (before.isPresent()) {
            return before.map(PushOutcome.Duplicate::new);
        }
        if (ledger.isForgotten(worker, sequence)) {
            return refused(
                    Reason.SEQUENCE_TOO_OLD,
                    "worker '%s' pushed sequence %d, remembered are its %d highest up to %d"
                            .formatted(worker, sequence, SequenceLedger.WINDOW, ledger.highest(worker)));
        }
        Optional<PushOutcome> stranger = membership(worker);
        if (stranger.isPresent()) {
            return stranger;
        }
        if (!metadata.generation().equals(generation)) {
            return refused(
                    Reason.OTHER_GENERATION,
                    "the gradient is of generation '%s', the server's is '%s': pull and go on"
                            .formatted(metadata.generation(), generation));
        }
        if (metadata.baseVersion() > version) {
            return refused(
                    Reason.FUTURE_VERSION,
                    "the gradient's base version is %d, the newest is %d".formatted(metadata.baseVersion(), version));
        }
        return cursor(metadata).or(() -> staleness(metadata, version)).or(() -> lead(metadata));
    }

    /** Returns what a worker is answered that is none. */
    Optional<PushOutcome> membership(String worker) {
        if (leases.isLive(worker)) {
            return Optional.empty();
        }
        return refused(
                Reason.UNKNOWN_WORKER,
                "worker '%s' is not registered, or its lease of %d ms ran out"
                        .formatted(worker, leases.length().toMillis()));
    }

    /** Returns what is answered before the first parameter set. */
    static PushOutcome noParameters() {
        return new PushOutcome.Refused(
                Reason.NO_PARAMETERS, "the server has no parameter set yet: put one to /putParameter");
    }

    /** A gradient of the run's work is of the samples that come next in its worker's shard, or samples would count twice. */
    private Optional<PushOutcome> cursor(GradientMetadata metadata) {
        return metadata.cursor()
                .flatMap(reached -> work.refusal(metadata.worker(), reached, metadata.samples()))
                .flatMap(detail -> refused(Reason.OTHER_CURSOR, detail));
    }

    private Optional<PushOutcome> staleness(GradientMetadata metadata, long version) {
        if (settings.mode().isSynchronous() && metadata.baseVersion() < version) {
            return refused(
                    Reason.STALE_GRADIENT,
                    "the gradient's base version is %d, synchronous training takes %d only: pull and go on"
                            .formatted(metadata.baseVersion(), version));
        }
        if (settings.mode() instanceof TrainingMode.Sync && pending.has(metadata.worker())) {
            return refused(
                    Reason.STALE_GRADIENT,
                    "worker '%s' has pushed for version %d already: wait for the next"
                            .formatted(metadata.worker(), version));
        }
        if (settings.rule().needsBase() && !isBaseKept(metadata.baseVersion(), version)) {
            return refused(
                    Reason.STALE_GRADIENT,
                    "the gradient's base version is %d; the rule %s needs its values, and kept are those served since %d: pull and go on"
                            .formatted(metadata.baseVersion(), settings.rule().describe(), history.oldest(version)));
        }
        return Optional.empty();
    }

    /**
     * By its number first: several versions may be made before one is served and an old one let go of, and a journal that
     * is done again lets go of one at each.
     */
    private boolean isBaseKept(long base, long newest) {
        return base >= history.oldest(newest) && history.has(base);
    }

    private Optional<PushOutcome> lead(GradientMetadata metadata) {
        if (!(settings.mode() instanceof TrainingMode.Ssp ssp)) {
            return Optional.empty();
        }
        long lead = clocks.lead(metadata.worker(), leases.liveIds());
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
