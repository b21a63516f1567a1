package org.fleetgrad.networks.zoo;

import org.fleetgrad.networks.layer.BatchNorm2d;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.Sequential;

/** The residual body that the ResNets for ImageNet and for CIFAR share. */
final class Residuals {

    private Residuals() {}

    /** Two 3×3 convolutions, the first with the stride. */
    static Sequential basic(int in, int width, int stride) {
        return Sequential.of("conv1", Conv2d.unbiased(in, width, 3, stride))
                .then("bn1", new BatchNorm2d(width))
                .then("relu1", new ReLU())
                .then("conv2", Conv2d.unbiased(width, width, 3, 1))
                .then("bn2", new BatchNorm2d(width));
    }
}
