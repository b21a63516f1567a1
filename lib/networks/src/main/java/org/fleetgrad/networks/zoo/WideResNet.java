package org.fleetgrad.networks.zoo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkFamily;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.networks.layer.BatchNorm2d;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.AdaptiveAvgPool2d;
import org.fleetgrad.networks.layer.Layer.Dropout;
import org.fleetgrad.networks.layer.Layer.Flatten;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.Sequential.Part;

/**
 * The wide ResNets of S. Zagoruyko, N. Komodakis 2016: {@code wrn-depth-widening}, 6n+4 layers in three stages of 16k, 32k and
 * 64k channels. Normalization and ReLU come before each convolution, dropout between the two of a block; where a block changes
 * the channels, its shortcut is a 1×1 convolution of the normalized input. Tensors: {@code conv1}, {@code
 * block1.layer.0.bn1|conv1|bn2|conv2|convShortcut}, {@code bn1}, {@code fc}. Convolutions are initialized normal by fan_out.
 */
final class WideResNet implements NetworkFamily {

    private static final String DROPOUT = "dropout";

    @Override
    public NetworkDefinition define(NetworkName name) {
        String[] numbers = name.base().split("-", -1);
        int blocksOfStage = (Integer.parseInt(numbers[1]) - 4) / 6;
        int widening = Integer.parseInt(numbers[2]);
        float dropout = name.probability(DROPOUT);
        Sequential layers = Sequential.of("conv1", Conv2d.unbiased(name.input().get(0), 16, 3, 1));
        int in = 16;
        for (int stage = 0; stage < 3; stage++) {
            int out = (16 << stage) * widening;
            List<Layer> blocks = new ArrayList<>();
            for (int block = 0; block < blocksOfStage; block++) {
                blocks.add(block(in, out, block == 0 && stage > 0 ? 2 : 1, dropout));
                in = out;
            }
            layers = layers.then("block" + (stage + 1), Sequential.of("layer", Sequential.numbered(blocks)));
        }
        return NetworkDefinition.of(
                name,
                layers.then("bn1", new BatchNorm2d(in))
                        .then("relu", new ReLU())
                        .then("avgpool", new AdaptiveAvgPool2d(1))
                        .then("flatten", new Flatten())
                        .then("fc", Linear.standard(in, name.classes())));
    }

    private static Layer block(int in, int out, int stride, float dropout) {
        Sequential activated = Sequential.of("bn1", new BatchNorm2d(in)).then("relu1", new ReLU());
        Sequential convolutions = Sequential.of("conv1", Conv2d.unbiased(in, out, 3, stride))
                .then("bn2", new BatchNorm2d(out))
                .then("relu2", new ReLU());
        if (dropout > 0) {
            convolutions = convolutions.then("dropout", new Dropout(dropout));
        }
        convolutions = convolutions.then("conv2", Conv2d.unbiased(out, out, 3, 1));
        if (in == out) {
            List<Part> all = new ArrayList<>(activated.parts());
            all.addAll(convolutions.parts());
            return Residual.of(new Sequential(all));
        }
        return activated.then(
                "", new Residual(convolutions, new Part("convShortcut", Conv2d.unbiased(in, out, 1, stride))));
    }

    @Override
    public List<String> names() {
        return List.of("wrn-16-4", "wrn-28-10");
    }

    @Override
    public String describe(String base) {
        return "%s, a wide ResNet (Zagoruyko, Komodakis 2016)".formatted(base.replace("wrn", "WRN"));
    }

    @Override
    public Task usual(String base) {
        return new ImageClassification(List.of(3, 32, 32), 10);
    }

    @Override
    public SortedMap<String, String> defaults(String base, Task task) {
        return new TreeMap<>(Map.of(DROPOUT, "0"));
    }
}
