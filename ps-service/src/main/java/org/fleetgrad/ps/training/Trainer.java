package org.fleetgrad.ps.training;

import java.util.Optional;
import java.util.Set;
import org.fleetgrad.optim.Optimizer;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.PushOutcome.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The parameters and what moves them: takes gradients one after the other and publishes a version after each step.
 *
 * <p>Belongs to the applier thread. One writer means no lock around the arithmetic, and versions that cannot tear.
 */
final class Trainer {

    private final TrainingSettings settings;
    private final String generation;
    private final PublishedParameters published;
    private final Leases leases;
    private final SequenceLedger ledger;
    private final TrainingStatistics statistics;
    private final TrainingListener listener;
    private final GradientBuffers buffers;
    private final PendingStep pending;
    private @Nullable State state;

    /** What exists once there are parameters. */
    private record State(TensorLayout layout, float[] parameters, Optimizer optimizer, ParameterVersion version) {
        State next() {
            return new State(
                    layout, parameters, optimizer, new ParameterVersion(version.generation(), version.version() + 1));
        }
    }

    Trainer(
            TrainingSettings settings,
            String generation,
            PublishedParameters published,
            Leases leases,
            SequenceLedger ledger,
            TrainingStatistics statistics,
            TrainingListener listener,
            GradientBuffers buffers) {
        this.settings = settings;
        this.generation = generation;
        this.published = published;
        this.leases = leases;
        this.ledger = ledger;
        this.statistics = statistics;
        this.listener = listener;
        this.buffers = buffers;
        this.pending = new PendingStep(buffers);
    }

    PutOutcome put(InitialParameters given, Precondition precondition) {
        State before = state;
        Optional<ParameterVersion> newest = Optional.ofNullable(before).map(State::version);
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
        State after = new State(
                given.layout(),
                given.values(),
                Optimizer.create(settings.optimizer(), given.values().length),
                new ParameterVersion(generation, next));
        // Gradients on what was overwritten say nothing about what is there now.
        pending.clear();
        statistics.dropped();
        published.begin(given.layout(), given.metadata(), generation);
        published.publish(after.version(), after.parameters());
        // Last, so that a set too large for the memory leaves the run without parameters rather than with unserved
        // ones.
        state = after;
        listener.parametersPut(after.version(), given.layout().size(), given.values().length);
        return new PutOutcome.Accepted(after.version(), before == null);
    }

    PushOutcome push(Gradient gradient) {
        PushOutcome outcome = refusal(gradient.metadata()).orElse(null);
        if (outcome == null) {
            outcome = take(gradient);
        } else {
            buffers.giveBack(gradient.values());
        }
        statistics.pushed(outcome);
        listener.pushed(outcome);
        return outcome;
    }

    /** The live workers are others than before: a barrier may be complete, or may have nobody left to wait for. */
    void membershipChanged() {
        State now = state;
        if (now != null && !pending.isEmpty() && (leases.live().isEmpty() || isStepDue())) {
            step(now);
        }
    }

    /** Says why a gradient is not taken, or nothing where it is. */
    private Optional<PushOutcome> refusal(GradientMetadata metadata) {
        State now = state;
        String worker = metadata.worker();
        long sequence = metadata.sequence();
        if (now == null) {
            return refused(Reason.NO_PARAMETERS, "the server has no parameter set yet: put one to /putParameter");
        }
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
        if (!leases.isLive(worker)) {
            return refused(
                    Reason.UNKNOWN_WORKER,
                    "worker '%s' is not registered, or its lease of %d ms ran out"
                            .formatted(worker, leases.length().toMillis()));
        }
        if (!metadata.generation().equals(generation)) {
            return refused(
                    Reason.OTHER_GENERATION,
                    "the gradient is of generation '%s', the server's is '%s': pull and go on"
                            .formatted(metadata.generation(), generation));
        }
        long version = now.version().version();
        if (metadata.baseVersion() > version) {
            return refused(
                    Reason.FUTURE_VERSION,
                    "the gradient's base version is %d, the newest is %d".formatted(metadata.baseVersion(), version));
        }
        if (settings.mode() instanceof TrainingMode.Sync) {
            return staleInSync(metadata, version);
        }
        return Optional.empty();
    }

    private Optional<PushOutcome> staleInSync(GradientMetadata metadata, long version) {
        if (metadata.baseVersion() < version) {
            return refused(
                    Reason.STALE_GRADIENT,
                    "the gradient's base version is %d, synchronous training takes %d only: pull and go on"
                            .formatted(metadata.baseVersion(), version));
        }
        if (pending.has(metadata.worker())) {
            return refused(
                    Reason.STALE_GRADIENT,
                    "worker '%s' has pushed for version %d already: wait for the next"
                            .formatted(metadata.worker(), version));
        }
        return Optional.empty();
    }

    private static Optional<PushOutcome> refused(Reason reason, String detail) {
        return Optional.of(new PushOutcome.Refused(reason, detail));
    }

    private PushOutcome take(Gradient gradient) {
        State now = Optional.ofNullable(state).orElseThrow();
        GradientMetadata metadata = gradient.metadata();
        // No step is made while it waits, so what it lags now is what it will lag when it is applied.
        long staleness = now.version().version() - metadata.baseVersion();
        pending.add(gradient);
        statistics.taken(metadata.worker(), staleness, pending.gradients());
        PushOutcome outcome = isStepDue()
                ? new PushOutcome.Applied(step(now), staleness)
                : new PushOutcome.Buffered(now.version().version());
        ledger.remember(metadata.worker(), metadata.sequence(), outcome);
        return outcome;
    }

    private boolean isStepDue() {
        if (settings.mode() instanceof TrainingMode.Sync sync) {
            Set<String> live = leases.liveIds();
            int wanted = sync.workersPerStep() == 0 ? live.size() : Math.min(sync.workersPerStep(), live.size());
            return pending.contributorsAmong(live) >= Math.max(1, wanted);
        }
        return settings.mode() instanceof TrainingMode.Async async && pending.gradients() >= async.gradientsPerStep();
    }

    /** Makes the step from {@code now} and returns the version after it. */
    private long step(State now) {
        State after = now.next();
        now.optimizer()
                .step(
                        now.parameters(),
                        pending.mean(),
                        settings.schedule().at(now.version().version()));
        state = after;
        published.publish(after.version(), after.parameters());
        statistics.stepped(pending.samples(), pending.meanLoss());
        listener.stepped(after.version(), pending.gradients(), now.version().version() - pending.oldestBase());
        pending.clear();
        return after.version().version();
    }
}
