package org.fleetgrad.networks.zoo;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkFamily;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.networks.layer.BatchNorm2d;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.AdaptiveAvgPool2d;
import org.fleetgrad.networks.layer.Layer.Flatten;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.Sequential.Part;
import org.fleetgrad.networks.layer.ZeroPaddedShortcut;

/**
 * The ResNets for CIFAR of K. He et al. 2016, section 4.2: 6n+2 layers in three stages of 16, 32 and 64 channels, with
 * shortcuts that have no parameters (option A). Their tensors are named as in torchvision's ResNets. Convolutions are
 * initialized normal by fan_out, as in torchvision; the linear layer as in PyTorch.
 */
final class CifarResNet implements NetworkFamily {

    @Override
    public NetworkDefinition define(NetworkName name) {
        int blocksOfStage = (depth(name.base()) - 2) / 6;
        Sequential layers = Sequential.of("conv1", Conv2d.unbiased(name.input().get(0), 16, 3, 1))
                .then("bn1", new BatchNorm2d(16))
                .then("relu", new ReLU());
        int in = 16;
        for (int stage = 0; stage < 3; stage++) {
            int out = 16 << stage;
            List<Layer> blocks = new ArrayList<>();
            for (int block = 0; block < blocksOfStage; block++) {
                int stride = in == out ? 1 : 2;
                blocks.add(rectified(new Residual(
                        basic(in, out, stride),
                        in == out ? Residual.IDENTITY : new Part("", new ZeroPaddedShortcut(in, out, stride)))));
                in = out;
            }
            layers = layers.then("layer" + (stage + 1), Sequential.numbered(blocks));
        }
        return NetworkDefinition.of(
                name,
                layers.then("avgpool", new AdaptiveAvgPool2d(1))
                        .then("flatten", new Flatten())
                        .then("fc", Linear.standard(64, name.classes())));
    }

    /** A residual block: the sum, and a ReLU of it. */
    static Sequential rectified(Residual sum) {
        return Sequential.of("", sum).then("relu", new ReLU());
    }

    /** Two 3×3 convolutions, the first with the stride. */
    static Sequential basic(int in, int width, int stride) {
        return Sequential.of("conv1", Conv2d.unbiased(in, width, 3, stride))
                .then("bn1", new BatchNorm2d(width))
                .then("relu1", new ReLU())
                .then("conv2", Conv2d.unbiased(width, width, 3, 1))
                .then("bn2", new BatchNorm2d(width));
    }

    private static int depth(String base) {
        return Integer.parseInt(base.substring("resnet".length()));
    }

    @Override
    public List<String> names() {
        return List.of("resnet20", "resnet32", "resnet44", "resnet56", "resnet110");
    }

    @Override
    public String describe(String base) {
        return "ResNet-%d for CIFAR (He et al. 2016, section 4.2)".formatted(depth(base));
    }

    @Override
    public Task usual(String base) {
        return new ImageClassification(List.of(3, 32, 32), 10);
    }
}
