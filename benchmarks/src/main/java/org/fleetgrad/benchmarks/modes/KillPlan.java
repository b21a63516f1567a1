package org.fleetgrad.benchmarks.modes;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The plan of kills: which activations, and when. It is the same in every cell, whatever the order in which workers
 * take work. A killed activation is repeated, so n pieces of work make n / (1 - share) activations.
 *
 * @param moments of the kills of each piece of work, one for each killed attempt, as shares of the work
 */
record KillPlan(List<List<Double>> moments) {

    /** Draws a plan in which {@code share} of the activations are killed, up to rounding. */
    static KillPlan draw(int works, double share, long seed) {
        List<List<Double>> moments = Stream.generate(() -> (List<Double>) new ArrayList<Double>())
                .limit(works)
                .toList();
        Random random = new Random(seed);
        long kills = Math.round(works * share / (1 - share));
        for (long i = 0; i < kills; i++) {
            moments.get(random.nextInt(works)).add(random.nextDouble());
        }
        return new KillPlan(moments);
    }

    int kills() {
        return moments.stream().mapToInt(List::size).sum();
    }

    /** Returns the share of the work after which an attempt is killed; empty if it is not killed. */
    OptionalDouble moment(int work, int attempt) {
        List<Double> ofWork = moments.get(work);
        return attempt < ofWork.size() ? OptionalDouble.of(ofWork.get(attempt)) : OptionalDouble.empty();
    }
}
