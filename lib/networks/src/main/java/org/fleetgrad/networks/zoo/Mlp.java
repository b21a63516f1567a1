package org.fleetgrad.networks.zoo;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.layer.Layer.Flatten;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.zoo.Zoo.Small;

/** A perceptron with one hidden layer of ReLU: fc1 from the pixels to {@code hidden} units, fc2 to the classes. */
final class Mlp implements Small {

    private static final String HIDDEN = "hidden";

    @Override
    public List<String> names() {
        return List.of("mlp");
    }

    @Override
    public String describe(String base) {
        return "a perceptron with one hidden layer";
    }

    @Override
    public SortedMap<String, String> defaults(String base, Task task) {
        return new TreeMap<>(Map.of(HIDDEN, "256"));
    }

    @Override
    public NetworkDefinition define(NetworkName name) {
        int hidden = name.number(HIDDEN, 65_536);
        Sequential pixels = Sequential.of("flatten", new Flatten());
        return NetworkDefinition.of(
                name,
                pixels.then(
                                "fc1",
                                Linear.standard(
                                        NetworkDefinition.output(name, pixels).get(0), hidden))
                        .then("relu", new ReLU())
                        .then("fc2", Linear.standard(hidden, name.classes())));
    }
}
