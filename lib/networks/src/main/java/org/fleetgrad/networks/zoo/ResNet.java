package org.fleetgrad.networks.zoo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.layer.BatchNorm2d;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.AdaptiveAvgPool2d;
import org.fleetgrad.networks.layer.Layer.Flatten;
import org.fleetgrad.networks.layer.Layer.MaxPool2d;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.Sequential.Part;
import org.fleetgrad.networks.zoo.Zoo.LargeImages;

/**
 * The ResNets of K. He et al., "Deep Residual Learning for Image Recognition", 2016, table 1, with torchvision's names and
 * initial values; the stride of a bottleneck is in its 3×3 convolution, as there. The stem is ImageNet's (7×7 of stride 2
 * and a max-pooling) or, for small images, CIFAR's (3×3).
 */
final class ResNet implements LargeImages {

    private static final String STEM = "stem";

    private record Row(boolean isBottleneck, List<Integer> blocks) {}

    private static final SortedMap<String, Row> TABLE = new TreeMap<>(Map.of(
            "resnet18", new Row(false, List.of(2, 2, 2, 2)),
            "resnet34", new Row(false, List.of(3, 4, 6, 3)),
            "resnet50", new Row(true, List.of(3, 4, 6, 3)),
            "resnet101", new Row(true, List.of(3, 4, 23, 3)),
            "resnet152", new Row(true, List.of(3, 8, 36, 3))));

    @Override
    public NetworkDefinition define(NetworkName name) {
        Row row = Objects.requireNonNull(TABLE.get(name.base()));
        Sequential layers = stem(name);
        int in = 64;
        for (int stage = 0; stage < 4; stage++) {
            int width = 64 << stage;
            int out = row.isBottleneck() ? 4 * width : width;
            List<Layer> blocks = new ArrayList<>();
            for (int block = 0; block < row.blocks().get(stage); block++) {
                int stride = block == 0 && stage > 0 ? 2 : 1;
                blocks.add(CifarResNet.rectified(new Residual(
                        row.isBottleneck() ? bottleneck(in, width, stride) : CifarResNet.basic(in, width, stride),
                        in == out && stride == 1
                                ? Residual.IDENTITY
                                : new Part("downsample", projection(in, out, stride)))));
                in = out;
            }
            layers = layers.then("layer" + (stage + 1), Sequential.numbered(blocks));
        }
        return NetworkDefinition.of(
                name,
                layers.then("avgpool", new AdaptiveAvgPool2d(1))
                        .then("flatten", new Flatten())
                        .then("fc", Linear.standard(in, name.classes())));
    }

    private static Sequential stem(NetworkName name) {
        int channels = name.input().get(0);
        return name.choice(STEM, List.of("cifar", "imagenet")).equals("cifar")
                ? Sequential.of("conv1", Conv2d.unbiased(channels, 64, 3, 1))
                        .then("bn1", new BatchNorm2d(64))
                        .then("relu", new ReLU())
                : Sequential.of("conv1", Conv2d.unbiased(channels, 64, 7, 2))
                        .then("bn1", new BatchNorm2d(64))
                        .then("relu", new ReLU())
                        .then("maxpool", new MaxPool2d(3, 2, 1));
    }

    private static Sequential bottleneck(int in, int width, int stride) {
        return Sequential.of("conv1", Conv2d.unbiased(in, width, 1, 1))
                .then("bn1", new BatchNorm2d(width))
                .then("relu1", new ReLU())
                .then("conv2", Conv2d.unbiased(width, width, 3, stride))
                .then("bn2", new BatchNorm2d(width))
                .then("relu2", new ReLU())
                .then("conv3", Conv2d.unbiased(width, 4 * width, 1, 1))
                .then("bn3", new BatchNorm2d(4 * width));
    }

    private static Sequential projection(int in, int out, int stride) {
        return Sequential.numbered(List.of(Conv2d.unbiased(in, out, 1, stride), new BatchNorm2d(out)));
    }

    @Override
    public List<String> names() {
        return List.copyOf(TABLE.keySet());
    }

    @Override
    public String describe(String base) {
        return "ResNet-%s (He et al. 2016), as torchvision has it".formatted(base.substring("resnet".length()));
    }

    @Override
    public SortedMap<String, String> defaults(String base, Task task) {
        return new TreeMap<>(Map.of(STEM, LargeImages.areSmall(task.input()) ? "cifar" : "imagenet"));
    }
}
