package org.fleetgrad.networks.zoo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.layer.BatchNorm2d;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.InitialValues;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.AdaptiveAvgPool2d;
import org.fleetgrad.networks.layer.Layer.Dropout;
import org.fleetgrad.networks.layer.Layer.Flatten;
import org.fleetgrad.networks.layer.Layer.MaxPool2d;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.zoo.Zoo.LargeImages;

/**
 * The VGG networks of K. Simonyan and A. Zisserman 2015, table 1 (A, B, D and E), with and without batch normalization, with
 * torchvision's names and initial values. The head is torchvision's, 7×7 means and 4096-4096-classes; or, for small images,
 * CIFAR's: one mean per channel and 512-512-classes, under the same names.
 */
final class Vgg implements LargeImages {

    private static final String HEAD = "head";
    private static final String BN = "_bn";

    /** Numbers of 3×3 convolutions in the five stages, each of which ends in a max-pooling. */
    private static final SortedMap<String, List<Integer>> TABLE = new TreeMap<>(Map.of(
            "vgg11", List.of(1, 1, 2, 2, 2),
            "vgg13", List.of(2, 2, 2, 2, 2),
            "vgg16", List.of(2, 2, 3, 3, 3),
            "vgg19", List.of(2, 2, 4, 4, 4)));

    private static final List<Integer> WIDTHS = List.of(64, 128, 256, 512, 512);

    @Override
    public NetworkDefinition define(NetworkName name) {
        boolean isSmall = name.choice(HEAD, List.of("cifar", "torchvision")).equals("cifar");
        int side = isSmall ? 1 : 7;
        return NetworkDefinition.of(
                name,
                Sequential.of("features", features(name))
                        .then("avgpool", new AdaptiveAvgPool2d(side))
                        .then("flatten", new Flatten())
                        .then("classifier", classifier(512 * side * side, isSmall ? 512 : 4096, name.classes())));
    }

    private static Sequential features(NetworkName name) {
        boolean isNormalized = name.base().endsWith(BN);
        List<Integer> convolutions =
                Objects.requireNonNull(TABLE.get(name.base().replace(BN, "")));
        List<Layer> layers = new ArrayList<>();
        int in = name.input().get(0);
        for (int stage = 0; stage < 5; stage++) {
            int out = WIDTHS.get(stage);
            for (int i = 0; i < convolutions.get(stage); i++) {
                layers.add(new Conv2d(in, out, 3, 1, 1, true, Conv2d.Start.FAN_OUT_NORMAL));
                if (isNormalized) {
                    layers.add(new BatchNorm2d(out));
                }
                layers.add(new ReLU());
                in = out;
            }
            layers.add(MaxPool2d.HALVES);
        }
        return Sequential.numbered(layers);
    }

    private static Sequential classifier(int in, int width, int classes) {
        return Sequential.numbered(List.of(
                linear(in, width),
                new ReLU(),
                new Dropout(0.5f),
                linear(width, width),
                new ReLU(),
                new Dropout(0.5f),
                linear(width, classes)));
    }

    private static Linear linear(int in, int out) {
        return new Linear(in, out, new InitialValues.Normal(0.01), InitialValues.ZEROS);
    }

    @Override
    public List<String> names() {
        return TABLE.keySet().stream()
                .flatMap(name -> Stream.of(name, name + BN))
                .toList();
    }

    @Override
    public String describe(String base) {
        return "VGG-%s%s (Simonyan, Zisserman 2015), as torchvision has it"
                .formatted(
                        base.replace(BN, "").substring("vgg".length()),
                        base.endsWith(BN) ? " with batch normalization" : "");
    }

    @Override
    public SortedMap<String, String> defaults(String base, Task task) {
        return new TreeMap<>(Map.of(HEAD, LargeImages.areSmall(task.input()) ? "cifar" : "torchvision"));
    }
}
