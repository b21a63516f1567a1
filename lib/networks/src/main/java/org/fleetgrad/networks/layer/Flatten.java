package org.fleetgrad.networks.layer;

import java.util.List;

/** Flattens a sample to one row of features. */
public record Flatten() implements Layer {

    @Override
    public List<Integer> output(List<Integer> input) {
        return List.of(input.stream().reduce(1, Math::multiplyExact));
    }
}
