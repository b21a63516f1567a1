package org.example.net;

import java.util.List;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkFamily;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.NetworkProvider;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.Layer.Flatten;
import org.fleetgrad.networks.layer.Layer.MaxPool2d;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Sequential;

/**
 * One convolution and one linear layer, 15,898 parameters for digits: conv 1→8 5×5 pad 2, ReLU, max-pool 2; fc 1568→10.
 * Its name is {@code my-net}. The file {@code META-INF/services/org.fleetgrad.networks.NetworkProvider} has the name of
 * this class.
 */
public final class MyNet implements NetworkProvider, NetworkFamily {

    private static final int CHANNELS = 8;

    @Override
    public List<NetworkFamily> families() {
        return List.of(this);
    }

    @Override
    public List<String> names() {
        return List.of("my-net");
    }

    @Override
    public String describe(String base) {
        return "one convolution and one linear layer";
    }

    @Override
    public Task usual(String base) {
        return new ImageClassification(List.of(1, 28, 28), 10);
    }

    @Override
    public NetworkDefinition define(NetworkName name) {
        List<Integer> image = name.input();
        int pixels = (image.get(1) / 2) * (image.get(2) / 2);
        return NetworkDefinition.of(
                name,
                Sequential.of("conv", Conv2d.standard(image.get(0), CHANNELS, 5, 2))
                        .then("relu", new ReLU())
                        .then("pool", MaxPool2d.HALVES)
                        .then("flatten", new Flatten())
                        .then("fc", Linear.standard(CHANNELS * pixels, name.classes())));
    }
}
