package org.fleetgrad.benchmarks.serving;

import java.util.List;

/** What the command measures. */
record Experiments(PlacesExperiment.Plan places, GapExperiment.Plan gaps, TornExperiment.Plan torn) {

    private static final List<Integer> INTERVALS = List.of(1, 8, 64);
    private static final List<Integer> GAPS = List.of(0, 1, 4, 16);

    /** Everything, in some ten minutes on two cores. */
    static Experiments full() {
        return new Experiments(
                new PlacesExperiment.Plan(Serving.all(), List.of(1, 24, 48, 96), 4_000, 2_000, 1_000),
                new GapExperiment.Plan(65_536, INTERVALS, GAPS, 4, 2_000),
                new TornExperiment.Plan(List.of("lenet5", "resnet20"), List.of(1, 32), 10));
    }

    /** A look at each, in about a minute. */
    static Experiments quick() {
        return new Experiments(
                new PlacesExperiment.Plan(
                        List.of(
                                new Serving(Serving.Place.REPLICA, "latest"),
                                new Serving(Serving.Place.INTERLEAVED, "")),
                        List.of(1, 24),
                        3_000,
                        500,
                        500),
                new GapExperiment.Plan(49_152, INTERVALS, GAPS, 2, 500),
                new TornExperiment.Plan(List.of("lenet5"), List.of(1), 3));
    }

    /** Returns the training samples that all of it takes. */
    int trainingSamples() {
        return places.servings().stream().anyMatch(serving -> serving.place() == Serving.Place.ENSEMBLE)
                ? 2 * places.samples()
                : places.samples();
    }

    /** Returns the held-out samples that all of it takes. */
    int heldOutSamples() {
        return places.heldOut() + places.shard();
    }
}
