package org.fleetgrad.simulation.world;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Where the values of a network show how often a sample counts.
 *
 * @param trained indices of the values that steps change, the place of sample 0 first. The places are spread, so that each server has some
 * @param means   indices of the values that are running means of what batches observe
 * @param observed indices of all values that are state, the means among them
 */
record SamplePlaces(List<Integer> trained, List<Integer> means, List<Integer> observed) {

    /** Has no factor in common with the number of values, so that each sample has a place of its own. */
    private static final int SPREAD = 17;

    static SamplePlaces of(NetworkSpec spec) {
        List<Integer> trained = new ArrayList<>();
        List<Integer> means = new ArrayList<>();
        List<Integer> observed = new ArrayList<>();
        int at = 0;
        for (TensorSpec tensor : spec.layout().specs()) {
            for (int end = at + (int) tensor.elementCount(); at < end; at++) {
                (spec.state().has(tensor.name()) ? observed : trained).add(at);
                if (tensor.name().endsWith("running_mean")) {
                    means.add(at);
                }
            }
        }
        return new SamplePlaces(spread(trained), means, observed);
    }

    private static List<Integer> spread(List<Integer> values) {
        if (values.size() % SPREAD == 0) {
            throw new IllegalArgumentException("two samples have one place among %d values".formatted(values.size()));
        }
        List<Integer> spread = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            spread.add(values.get(i * SPREAD % values.size()));
        }
        return spread;
    }
}
