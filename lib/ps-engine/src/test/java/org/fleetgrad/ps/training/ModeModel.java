package org.fleetgrad.ps.training;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.optim.TrainingMode.StepSize;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Buffered;
import org.fleetgrad.ps.outcome.PushOutcome.Duplicate;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.outcome.PushOutcome.Refused;

/**
 * A reference model of the modes, as simple as possible: one value, plain SGD, lists instead of sums, and nothing
 * evicted. Refusals have no detail.
 */
public final class ModeModel {

    private record Waiting(String worker, long samples, double gradient) {}

    private final TrainingMode mode;
    private final Set<String> live = new TreeSet<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private final Map<String, PushOutcome> answers = new HashMap<>();
    private final Map<String, Long> clocks = new HashMap<>();
    private final List<Integer> gradientsOfSteps = new ArrayList<>();
    private long version;
    private double value;
    private long samples;
    private long taken;

    public ModeModel(TrainingMode mode) {
        this.mode = mode;
    }

    public void join(String worker) {
        if (live.add(worker)) {
            clocks.put(
                    worker,
                    clocks.values().stream().mapToLong(Long::longValue).min().orElse(0));
            stepWhereTheBarrierIsReached();
        }
    }

    /** Several workers leave at once. */
    public void leave(Collection<String> workers) {
        live.removeAll(workers);
        clocks.keySet().removeAll(workers);
        stepWhereTheBarrierIsReached();
    }

    /** The barrier may be reached because workers left, or because one pushed, left and rejoined. */
    private void stepWhereTheBarrierIsReached() {
        boolean isReached = mode instanceof TrainingMode.Sync && isReached();
        if (!waiting.isEmpty() && (isReached || live.isEmpty())) {
            step();
        }
    }

    public PushOutcome push(String worker, long sequence, long base, long pushedSamples, double gradient) {
        PushOutcome before = answers.get(worker + "/" + sequence);
        if (before != null) {
            return new Duplicate(before);
        }
        Optional<Reason> refusal = refusal(worker, base);
        if (refusal.isPresent()) {
            return new Refused(refusal.get(), "");
        }
        long staleness = version - base;
        waiting.add(new Waiting(worker, pushedSamples, gradient));
        clocks.merge(worker, 1L, Long::sum);
        taken++;
        boolean isStep = isReached();
        if (isStep) {
            step();
        }
        PushOutcome outcome = isStep ? new Applied(version, staleness) : new Buffered(version);
        answers.put(worker + "/" + sequence, outcome);
        return outcome;
    }

    private Optional<Reason> refusal(String worker, long base) {
        if (!live.contains(worker)) {
            return Optional.of(Reason.UNKNOWN_WORKER);
        }
        if (base > version) {
            return Optional.of(Reason.FUTURE_VERSION);
        }
        boolean isBarrier = mode instanceof TrainingMode.Sync;
        if ((isBarrier || mode instanceof TrainingMode.SyncBySamples) && base < version) {
            return Optional.of(Reason.STALE_GRADIENT);
        }
        if (isBarrier && waiting.stream().anyMatch(before -> before.worker().equals(worker))) {
            return Optional.of(Reason.STALE_GRADIENT);
        }
        return mayBegin(worker) ? Optional.empty() : Optional.of(Reason.TOO_FAR_AHEAD);
    }

    /** Stale synchronous parallel: a worker may begin if it leads the slowest by at most so many iterations. */
    public boolean mayBegin(String worker) {
        Long own = clocks.get(worker);
        if (!(mode instanceof TrainingMode.Ssp ssp) || own == null) {
            return true;
        }
        long slowest = clocks.values().stream().mapToLong(Long::longValue).min().orElse(own);
        return own - slowest <= ssp.maxLead();
    }

    private boolean isReached() {
        long allSamples = waiting.stream().mapToLong(Waiting::samples).sum();
        if (mode instanceof TrainingMode.Async async) {
            StepSize step = async.step();
            return step.gradients() > 0 ? waiting.size() >= step.gradients() : allSamples >= step.samples();
        }
        if (mode instanceof TrainingMode.SyncBySamples bySamples) {
            return allSamples >= bySamples.samplesPerStep();
        }
        if (mode instanceof TrainingMode.Sync sync) {
            Set<String> contributors = new HashSet<>(live);
            contributors.retainAll(waiting.stream().map(Waiting::worker).toList());
            int wanted = sync.workersPerStep() > 0
                    ? Math.min(sync.workersPerStep(), live.size())
                    : live.size() - sync.backupWorkers();
            return contributors.size() >= Math.max(1, wanted);
        }
        return true;
    }

    private void step() {
        double weighted = waiting.stream()
                .mapToDouble(each -> (double) each.samples() * each.gradient())
                .sum();
        long allSamples = waiting.stream().mapToLong(Waiting::samples).sum();
        value -= TrainingRun.LEARNING_RATE * weighted / (double) allSamples;
        samples += allSamples;
        version++;
        gradientsOfSteps.add(waiting.size());
        waiting.clear();
    }

    public Set<String> live() {
        return Set.copyOf(live);
    }

    public long version() {
        return version;
    }

    public double value() {
        return value;
    }

    /** Returns the samples in steps. */
    public long samples() {
        return samples;
    }

    /** Returns how many gradients are pending. */
    public int waiting() {
        return waiting.size();
    }

    /** Returns how many gradients were taken. */
    public long taken() {
        return taken;
    }

    /** Returns how many gradients each step had. */
    public List<Integer> gradientsOfSteps() {
        return List.copyOf(gradientsOfSteps);
    }
}
