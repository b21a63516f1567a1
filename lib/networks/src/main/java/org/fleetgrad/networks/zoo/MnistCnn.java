package org.fleetgrad.networks.zoo;

import java.util.List;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.Layer.Dropout;
import org.fleetgrad.networks.layer.Layer.Dropout2d;
import org.fleetgrad.networks.layer.Layer.Flatten;
import org.fleetgrad.networks.layer.Layer.MaxPool2d;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.zoo.Zoo.Small;

/**
 * The network of PyTorch's early MNIST example, 21,840 parameters: conv1 1→10 5×5, max-pool 2, ReLU; conv2 10→20 5×5,
 * dropout of channels, max-pool 2, ReLU; fc1 320→50, ReLU, dropout; fc2 50→10.
 */
final class MnistCnn implements Small {

    @Override
    public List<String> names() {
        return List.of("mnist-cnn");
    }

    @Override
    public String describe(String base) {
        return "two convolutions with dropout: PyTorch's early MNIST example";
    }

    @Override
    public NetworkDefinition define(NetworkName name) {
        Sequential features = Sequential.of(
                        "conv1", Conv2d.standard(name.input().get(0), 10, 5, 0))
                .then("pool1", MaxPool2d.HALVES)
                .then("relu1", new ReLU())
                .then("conv2", Conv2d.standard(10, 20, 5, 0))
                .then("conv2_drop", new Dropout2d(0.5f))
                .then("pool2", MaxPool2d.HALVES)
                .then("relu2", new ReLU())
                .then("flatten", new Flatten());
        return NetworkDefinition.of(
                name,
                features.then(
                                "fc1",
                                Linear.standard(
                                        NetworkDefinition.output(name, features).get(0), 50))
                        .then("relu3", new ReLU())
                        .then("dropout", new Dropout(0.5f))
                        .then("fc2", Linear.standard(50, name.classes())));
    }
}
