package org.fleetgrad.cli.elastic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.cli.elastic.PayingWorkers.Decision;

/**
 * Makes measures of looks at a run: each of some seconds in which the wanted number of workers was at work from the
 * beginning. Belongs to the thread that watches the run.
 */
public final class Scaling {

    /** Some shards of each worker. */
    public static final Duration MEASURE = Duration.ofSeconds(5);

    /** After which a measure begins however many have come or gone: those that do not come bring nothing. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /**
     * A number of workers and when it began.
     *
     * @param seconds since the first activation
     * @param workers how many there were to be from then on
     * @param reason  why
     */
    public record Step(double seconds, int workers, String reason) {}

    private final PayingWorkers workers;
    private final double measureSeconds;
    private final List<Step> steps = new ArrayList<>();
    private double wantedSince = Double.NaN;
    private Optional<Look> begin = Optional.empty();

    private record Look(double seconds, long samples) {}

    /** @param measure how long one takes */
    public Scaling(ElasticSettings settings, Duration measure) {
        this.workers = new PayingWorkers(settings);
        this.measureSeconds = measure.toMillis() / 1e3;
        steps.add(new Step(0, workers.size(), "the first"));
    }

    /** Returns how many workers there are to be now. */
    public int size() {
        return workers.size();
    }

    /**
     * Takes a look at the run.
     *
     * @param seconds since the first activation, without the time in which nobody was to train
     * @param samples that counted so far
     * @param active  workers that the server knows
     * @return what it led to, if anything
     */
    public Optional<Decision> look(double seconds, long samples, int active) {
        if (Double.isNaN(wantedSince)) {
            wantedSince = seconds;
        }
        // A server that went back to an earlier count, or activations that have just ended, make no measure.
        if (begin.isEmpty() || samples < begin.get().samples()) {
            boolean isThere = active == size() || seconds - wantedSince >= PATIENCE.toSeconds();
            begin = isThere ? Optional.of(new Look(seconds, samples)) : Optional.empty();
            return Optional.empty();
        }
        double measured = seconds - begin.get().seconds();
        if (measured < measureSeconds) {
            return Optional.empty();
        }
        Optional<Decision> decision = workers.measured((samples - begin.get().samples()) / measured);
        begin = Optional.empty();
        decision.ifPresent(made -> {
            wantedSince = seconds;
            if (made.workers() != steps.get(steps.size() - 1).workers()) {
                steps.add(new Step(seconds, made.workers(), made.reason()));
            }
        });
        return decision;
    }

    /** Forgets the measure that has begun: nobody trains for a while. */
    public void interrupt() {
        begin = Optional.empty();
        wantedSince = Double.NaN;
    }

    /** Returns the numbers of workers that there were. */
    public List<Step> steps() {
        return List.copyOf(steps);
    }
}
