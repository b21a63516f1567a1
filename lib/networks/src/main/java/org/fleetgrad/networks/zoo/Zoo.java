package org.fleetgrad.networks.zoo;

import java.util.List;
import org.fleetgrad.networks.NetworkFamily;
import org.fleetgrad.networks.NetworkProvider;

/** Provides the networks of this package. */
public final class Zoo implements NetworkProvider {

    @Override
    public List<NetworkFamily> families() {
        return List.of(new LeNet5(), new MnistCnn(), new Mlp(), new ResNet(), new CifarResNet(), new Vgg());
    }
}
