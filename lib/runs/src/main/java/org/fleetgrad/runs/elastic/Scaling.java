package org.fleetgrad.runs.elastic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.reports.Report.FleetChange;
import org.fleetgrad.runs.elastic.WorkerTrials.Decision;

/**
 * Measures the throughput of a run over intervals of some seconds. An interval starts when the target number of workers is
 * running. Confined to the thread that watches the run.
 */
public final class Scaling {

    /** Length of a measurement: each worker trains on several shards in it. */
    private static final Duration MEASURE = Duration.ofSeconds(5);

    /** After this time a measurement starts with the workers that exist: a missing worker adds no throughput. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final WorkerTrials workers;
    private final List<FleetChange> steps = new ArrayList<>();
    private double wantedSince = Double.NaN;
    private Optional<Look> begin = Optional.empty();

    private record Look(double seconds, long samples) {}

    public Scaling(ElasticSettings settings) {
        this.workers = new WorkerTrials(settings);
        steps.add(new FleetChange(0, workers.size(), "the first"));
    }

    /** Returns the wanted number of workers. */
    public int size() {
        return workers.size();
    }

    /**
     * Takes the state of the run.
     *
     * @param seconds since the first activation, without the time in which the workers were paused
     * @param samples counted so far
     * @param active  number of workers registered at the server
     * @return the new number of workers; empty if nothing is decided
     */
    public Optional<Decision> look(double seconds, long samples, int active) {
        if (Double.isNaN(wantedSince)) {
            wantedSince = seconds;
        }
        // A server back at an earlier count, or activations that have just ended, make a measurement invalid.
        if (begin.isEmpty() || samples < begin.get().samples()) {
            boolean isThere = active == size() || seconds - wantedSince >= PATIENCE.toSeconds();
            begin = isThere ? Optional.of(new Look(seconds, samples)) : Optional.empty();
            return Optional.empty();
        }
        double measured = seconds - begin.get().seconds();
        if (measured < MEASURE.toSeconds()) {
            return Optional.empty();
        }
        Optional<Decision> decision = workers.measured((samples - begin.get().samples()) / measured);
        begin = Optional.empty();
        decision.ifPresent(made -> {
            wantedSince = seconds;
            if (made.workers() != steps.get(steps.size() - 1).workers()) {
                steps.add(new FleetChange(seconds, made.workers(), made.reason()));
            }
        });
        return decision;
    }

    /** Discards the current measurement: the workers pause. */
    public void interrupt() {
        begin = Optional.empty();
        wantedSince = Double.NaN;
    }

    /** Returns how the number of workers changed. */
    public List<FleetChange> steps() {
        return List.copyOf(steps);
    }
}
