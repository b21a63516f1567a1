package org.fleetgrad.benchmarks.serving;

import java.util.List;
import java.util.Locale;

/** Who answers, and with which policy; only a replica has one. */
record Serving(Place place, String policy) {

    enum Place {
        /** An inference API, which follows the parameter server. */
        REPLICA,
        /** The worker, between two batches. */
        INTERLEAVED,
        /** The worker, on a copy. */
        THREAD,
        /** The worker, on the trained tensors themselves. */
        LIVE,
        /** Two workers, which are {@code interleaved}, and a vote. */
        ENSEMBLE;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** All places, and a replica with each policy that chooses by itself. */
    static List<Serving> all() {
        return List.of(
                new Serving(Place.REPLICA, "latest"),
                new Serving(Place.REPLICA, "previous"),
                new Serving(Place.REPLICA, "best"),
                new Serving(Place.REPLICA, "gate:0.01"),
                new Serving(Place.INTERLEAVED, ""),
                new Serving(Place.THREAD, ""),
                new Serving(Place.LIVE, ""),
                new Serving(Place.ENSEMBLE, ""));
    }

    String label() {
        return policy.isEmpty() ? place.label() : place.label() + ", " + policy;
    }

    /** Returns the number of workers that train. */
    int workers() {
        return place == Place.ENSEMBLE ? 2 : 1;
    }
}
