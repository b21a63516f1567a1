package org.fleetgrad.ps.progress;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.protocol.work.ReportedProgress;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.jspecify.annotations.Nullable;

/** Counts what the applier did. The applier writes it, any thread may read it. */
public final class TrainingStatistics {

    /** Weight of the newest step in the smoothed loss. */
    private static final double SMOOTHING = 0.02;

    /**
     * The counts that survive a restart.
     *
     * @param samples        training samples in applied gradients
     * @param loss           smoothed training loss
     * @param worstStaleness largest staleness of a taken gradient
     * @param stalenessSum   sum over the taken gradients
     * @param gradients      taken gradients
     * @param pushes         pushes by outcome
     * @param takenByWorker  taken gradients by worker
     * @param samplesBefore  those of {@code samples} from the previous run, if the run resumed from another one
     */
    public record State(
            long samples,
            Optional<Double> loss,
            long worstStaleness,
            long stalenessSum,
            long gradients,
            Map<String, Long> pushes,
            Map<String, Long> takenByWorker,
            long samplesBefore) {

        public double meanStaleness() {
            return gradients == 0 ? 0 : (double) stalenessSum / (double) gradients;
        }

        /** Returns the counts of another run that resumes from here: it has trained on nothing yet. */
        public State resumed() {
            return new State(samples, loss, worstStaleness, stalenessSum, gradients, pushes, takenByWorker, samples);
        }
    }

    private final Map<String, Long> pushes = new TreeMap<>();
    private final Map<String, Long> takenByWorker = new HashMap<>();
    private long samples;
    private long samplesBefore;
    private @Nullable Double loss;
    private long worstStaleness;
    private long stalenessSum;
    private long gradients;
    private int buffered;

    /** Counts a push by its answer. */
    public synchronized void pushed(SubmissionResult<PushOutcome> answer) {
        pushes.merge(PushOutcome.label(answer), 1L, Long::sum);
    }

    public synchronized void taken(String worker, long staleness, int nowBuffered) {
        takenByWorker.merge(worker, 1L, Long::sum);
        worstStaleness = Math.max(worstStaleness, staleness);
        stalenessSum += staleness;
        gradients++;
        buffered = nowBuffered;
    }

    public synchronized void stepped(long stepSamples, double meanLoss) {
        samples = plus(samples, stepSamples);
        loss = loss == null ? meanLoss : finite(loss + SMOOTHING * finite(meanLoss - loss));
        buffered = 0;
    }

    /**
     * Takes over the counts of a training that makes its own steps.
     *
     * @param steps that it made since it last stated its progress; each counts as one gradient
     */
    public synchronized void stated(ReportedProgress progress, long steps) {
        samples = progress.samples();
        progress.recent().ifPresent(recent -> {
            // Already a mean over all steps in between: no smoothing needed.
            loss = recent.loss();
            gradients = plus(gradients, steps);
            stalenessSum = plus(stalenessSum, Math.round(recent.meanStaleness() * steps));
            worstStaleness = Math.max(worstStaleness, recent.worstStaleness());
        });
    }

    /**
     * Adds counts of samples, and saturates instead of wrapping around. A worker may state any number, and the sum is the
     * run's position in its schedule: it must not return to the beginning.
     */
    public static long plus(long sum, long more) {
        return more > Long.MAX_VALUE - sum ? Long.MAX_VALUE : sum + more;
    }

    /**
     * Limits a sum of losses to what a double can hold. Workers may report any finite loss, and a checkpoint is JSON, which
     * has no infinity.
     */
    public static double finite(double sum) {
        return Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, sum));
    }

    /** Returns how many training samples the run's steps had so far: its position in the learning-rate schedule. */
    public synchronized long samplesOfRun() {
        // A rollback may return to a version of the previous run.
        return Math.max(0, samples - samplesBefore);
    }

    /** Returns how many training samples all steps had so far, with those of the previous run. */
    public synchronized long samples() {
        return samples;
    }

    /** Restores the samples of an earlier version. */
    public synchronized void samples(long earlier) {
        samples = earlier;
    }

    public synchronized void left(String worker) {
        takenByWorker.remove(worker);
    }

    /** Notes that another history has begun, with so many pending gradients. */
    public synchronized void buffered(int pending) {
        buffered = pending;
    }

    public synchronized int buffered() {
        return buffered;
    }

    /** Returns a copy of what survives a restart. */
    public synchronized State state() {
        return new State(
                samples,
                Optional.ofNullable(loss),
                worstStaleness,
                stalenessSum,
                gradients,
                Collections.unmodifiableMap(new TreeMap<>(pushes)),
                Collections.unmodifiableMap(new TreeMap<>(takenByWorker)),
                samplesBefore);
    }

    /** Restores the counts of an earlier process of the run. */
    public synchronized void restore(State state, int nowBuffered) {
        samples = state.samples();
        samplesBefore = state.samplesBefore();
        loss = state.loss().orElse(null);
        worstStaleness = state.worstStaleness();
        stalenessSum = state.stalenessSum();
        gradients = state.gradients();
        pushes.clear();
        pushes.putAll(state.pushes());
        takenByWorker.clear();
        takenByWorker.putAll(state.takenByWorker());
        buffered = nowBuffered;
    }
}
