package org.fleetgrad.ps.training;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts what the applier did, for those who look on. Safe from several threads. */
public final class TrainingStatistics {

    /** Weight of the newest step in the smoothed loss. */
    private static final double SMOOTHING = 0.02;

    /**
     * The counts at one moment.
     *
     * @param samples          training samples in applied gradients
     * @param loss             smoothed training loss
     * @param worstStaleness   largest staleness applied
     * @param meanStaleness    mean staleness applied
     * @param buffered         gradients waiting for their step
     * @param pushes           pushes by outcome
     * @param appliedByWorker  gradients taken, by worker
     */
    public record Snapshot(
            long samples,
            Optional<Double> loss,
            long worstStaleness,
            double meanStaleness,
            int buffered,
            Map<String, Long> pushes,
            Map<String, Long> appliedByWorker) {}

    private final Map<String, Long> pushes = new TreeMap<>();
    private final Map<String, Long> takenByWorker = new HashMap<>();
    private long samples;
    private @Nullable Double loss;
    private long worstStaleness;
    private long stalenessSum;
    private long gradients;
    private int buffered;

    synchronized void pushed(PushOutcome outcome) {
        pushes.merge(outcome.label(), 1L, Long::sum);
    }

    synchronized void taken(String worker, long staleness, int nowBuffered) {
        takenByWorker.merge(worker, 1L, Long::sum);
        worstStaleness = Math.max(worstStaleness, staleness);
        stalenessSum += staleness;
        gradients++;
        buffered = nowBuffered;
    }

    synchronized void stepped(long stepSamples, double meanLoss) {
        samples += stepSamples;
        loss = loss == null ? meanLoss : loss + SMOOTHING * (meanLoss - loss);
        buffered = 0;
    }

    synchronized void dropped() {
        buffered = 0;
    }

    /** Returns the counts now. */
    public synchronized Snapshot snapshot() {
        return new Snapshot(
                samples,
                Optional.ofNullable(loss),
                worstStaleness,
                gradients == 0 ? 0 : (double) stalenessSum / (double) gradients,
                buffered,
                Map.copyOf(pushes),
                Map.copyOf(takenByWorker));
    }
}
