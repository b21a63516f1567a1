package org.fleetgrad.cli.runs;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.fleetgrad.runs.kept.KeptRun;
import org.fleetgrad.runs.kept.Measure;

/** The orders of a listing; runs that lack what it sorts by come last. */
enum RunOrder {
    /** The newest first. */
    WHEN,
    NAME,
    STATE,
    NETWORK,
    DATASET,
    /** The best first, each kind of measure by itself. */
    BEST,
    /** The longest first. */
    DURATION,
    /** The most expensive first. */
    COST;

    /** Sorts runs of which the newest is the first. */
    List<KeptRun> sorted(List<KeptRun> runs, Instant now) {
        return switch (this) {
            case WHEN -> runs;
            case NAME -> by(runs, Comparator.comparing(KeptRun::title));
            case STATE -> by(runs, Comparator.comparing(KeptRun::state));
            case NETWORK -> by(runs, Comparator.comparing(run -> run.facts().network()));
            case DATASET -> by(runs, Comparator.comparing(run -> run.facts().dataset()));
            case BEST -> by(runs, RunOrder::best);
            case DURATION ->
                by(
                        runs,
                        Comparator.comparingDouble(run -> -run.duration(now)
                                .map(time -> (double) time.toMillis())
                                .orElse(-1.0)));
            case COST ->
                by(
                        runs,
                        Comparator.comparingDouble(run -> run.facts().figures().get("cost") instanceof Number cost
                                ? -cost.doubleValue()
                                : Double.POSITIVE_INFINITY));
        };
    }

    private static List<KeptRun> by(List<KeptRun> runs, Comparator<KeptRun> order) {
        return runs.stream().sorted(order).toList();
    }

    private static int best(KeptRun one, KeptRun other) {
        Measure its = one.facts().best().orElse(null);
        Measure others = other.facts().best().orElse(null);
        if (its == null || others == null) {
            return Boolean.compare(its == null, others == null);
        }
        if (its.kind() != others.kind()) {
            return its.kind().compareTo(others.kind());
        }
        return its.isBetterThan(others) ? -1 : others.isBetterThan(its) ? 1 : 0;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
