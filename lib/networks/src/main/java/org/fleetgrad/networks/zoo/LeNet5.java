package org.fleetgrad.networks.zoo;

import java.util.List;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.Layer.Flatten;
import org.fleetgrad.networks.layer.Layer.MaxPool2d;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.zoo.Zoo.Small;

/**
 * LeNet-5 in its usual modern form, 61,706 parameters: conv1 1→6 5×5 pad 2, ReLU, max-pool 2; conv2 6→16 5×5, ReLU,
 * max-pool 2; fc1 400→120, ReLU; fc2 120→84, ReLU; fc3 84→10. After Y. LeCun et al., "Gradient-Based Learning Applied to
 * Document Recognition", 1998.
 */
final class LeNet5 implements Small {

    @Override
    public List<String> names() {
        return List.of("lenet5");
    }

    @Override
    public String describe(String base) {
        return "LeNet-5 with ReLU and max-pooling (LeCun et al. 1998)";
    }

    @Override
    public NetworkDefinition define(NetworkName name) {
        Sequential features = Sequential.of(
                        "conv1", Conv2d.standard(name.input().get(0), 6, 5, 2))
                .then("relu1", new ReLU())
                .then("pool1", MaxPool2d.HALVES)
                .then("conv2", Conv2d.standard(6, 16, 5, 0))
                .then("relu2", new ReLU())
                .then("pool2", MaxPool2d.HALVES)
                .then("flatten", new Flatten());
        return NetworkDefinition.of(
                name,
                features.then(
                                "fc1",
                                Linear.standard(
                                        NetworkDefinition.output(name, features).get(0), 120))
                        .then("relu3", new ReLU())
                        .then("fc2", Linear.standard(120, 84))
                        .then("relu4", new ReLU())
                        .then("fc3", Linear.standard(84, name.classes())));
    }
}
