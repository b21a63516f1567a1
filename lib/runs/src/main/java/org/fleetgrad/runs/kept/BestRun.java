package org.fleetgrad.runs.kept;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.runs.output.RunFailedException;

/**
 * The best of the runs that can be compared: those on the same dataset and with the same kind of measure as the newest run that has one.
 *
 * @param compared says what was compared
 */
public record BestRun(KeptRun run, String compared) {

    /**
     * Chooses the best.
     *
     * @param all the newest first
     * @throws RunFailedException if no run has a held-out result
     */
    public static BestRun of(List<KeptRun> all) throws RunFailedException {
        Optional<KeptRun> newest =
                all.stream().filter(run -> run.facts().best().isPresent()).findFirst();
        if (newest.isEmpty()) {
            throw RunFailedException.input("BEST: none of the %d runs has a held-out result yet".formatted(all.size()));
        }
        RunFacts like = newest.get().facts();
        MeasureKind kind = like.best().orElseThrow().kind();
        List<KeptRun> comparable = all.stream()
                .filter(run -> run.facts()
                        .best()
                        .map(Measure::kind)
                        .filter(kind::equals)
                        .isPresent())
                .filter(run -> run.facts().dataset().equals(like.dataset()))
                .toList();
        KeptRun best = newest.get();
        for (KeptRun run : comparable) {
            if (run.facts()
                    .best()
                    .orElseThrow()
                    .isBetterThan(best.facts().best().orElseThrow())) {
                best = run;
            }
        }
        int others = all.size() - comparable.size();
        return new BestRun(
                best,
                "BEST is %s: held-out %s, the best of %d on %s by %s%s"
                        .formatted(
                                best.title(),
                                best.facts().best().orElseThrow().text(),
                                comparable.size(),
                                like.dataset().isEmpty() ? "the same data" : like.dataset(),
                                kind.word(),
                                others == 0
                                        ? ""
                                        : "; others have other data, another measure or no result: %d"
                                                .formatted(others)));
    }
}
