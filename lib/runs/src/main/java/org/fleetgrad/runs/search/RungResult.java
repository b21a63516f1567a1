package org.fleetgrad.runs.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.runs.kept.Measure;
import org.fleetgrad.runs.kept.MeasureKind;

/**
 * How the trials of a rung compare, and which of them train on. Written once, before the first of them does.
 *
 * @param standings the best first
 * @param promoted  how many of the first train on
 */
public record RungResult(List<Standing> standings, int promoted) {

    /**
     * A trial at the end of a rung.
     *
     * @param hasEnded whether it trained to the end of the rung; another one cannot train on
     * @param best     its best held-out result
     * @param seconds  that it trained in this rung, since it was last begun
     */
    public record Standing(int trial, boolean hasEnded, Optional<Measure> best, double seconds) {}

    /** Copies the standings. */
    public RungResult {
        standings = List.copyOf(standings);
        if (promoted < 0 || promoted > standings.size()) {
            throw new IllegalArgumentException("%d of %d trials cannot train on".formatted(promoted, standings.size()));
        }
    }

    /**
     * Compares trials. Those with a result come before those without, and the better before the worse; of equal ones the one with
     * the smaller number comes first.
     *
     * @param places how many train on, if there are so many with a result
     */
    static RungResult of(List<Standing> trials, int places) {
        Optional<MeasureKind> kind = trials.stream()
                .flatMap(trial -> trial.best().stream())
                .map(Measure::kind)
                .findFirst();
        List<Standing> ranked = new ArrayList<>(trials);
        ranked.sort(order(kind));
        long able = ranked.stream().filter(trial -> isRanked(trial, kind)).count();
        return new RungResult(ranked, (int) Math.min(places, able));
    }

    private static boolean isRanked(Standing trial, Optional<MeasureKind> kind) {
        return trial.hasEnded() && trial.best().map(Measure::kind).equals(kind) && kind.isPresent();
    }

    private static Comparator<Standing> order(Optional<MeasureKind> kind) {
        return Comparator.comparing((Standing trial) -> !isRanked(trial, kind))
                .thenComparing((one, other) -> isRanked(one, kind) && isRanked(other, kind)
                        ? compare(one.best().orElseThrow(), other.best().orElseThrow())
                        : 0)
                .thenComparing(Standing::trial);
    }

    private static int compare(Measure one, Measure other) {
        return one.isBetterThan(other) ? -1 : other.isBetterThan(one) ? 1 : 0;
    }

    /** Returns the numbers of the trials that train on, the best first. */
    List<Integer> winners() {
        return standings.stream().limit(promoted).map(Standing::trial).toList();
    }
}
