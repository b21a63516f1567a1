package org.fleetgrad.networks.zoo;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.networks.layer.ClassToken;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.InitialValues;
import org.fleetgrad.networks.layer.Layer.FirstToken;
import org.fleetgrad.networks.layer.Layer.Gelu;
import org.fleetgrad.networks.layer.Layer.PatchTokens;
import org.fleetgrad.networks.layer.LayerNorm;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.PositionEmbedding;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.SelfAttention;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.zoo.Zoo.LargeImages;

/**
 * The vision transformers of A. Dosovitskiy et al. 2021, with torchvision's names, shapes and initial values: patches as tokens, a
 * class token before them, layers that normalize first, full attention, exact GELU. {@code vit} is a small one for small images;
 * each size can be set.
 */
final class VisionTransformer implements LargeImages {

    private static final String PATCH = "patch";
    private static final String SMALL = "vit";
    private static final double EPSILON = 1e-6;

    private record Row(int patch, TransformerSize size) {}

    private static final SortedMap<String, Row> TABLE = new TreeMap<>(Map.of(
            SMALL,
            new Row(4, new TransformerSize(6, 4, 128)),
            "vit_b_16",
            new Row(16, new TransformerSize(12, 12, 768)),
            "vit_b_32",
            new Row(32, new TransformerSize(12, 12, 768)),
            "vit_l_16",
            new Row(16, new TransformerSize(24, 16, 1024)),
            "vit_l_32",
            new Row(32, new TransformerSize(24, 16, 1024))));

    @Override
    public NetworkDefinition define(NetworkName name) {
        List<Integer> image = name.input();
        int patch = name.number(PATCH, 1024);
        int width = name.number(TransformerSize.WIDTH, 65_536);
        int heads = name.number(TransformerSize.HEADS, 65_536);
        float dropout = name.probability(TransformerSize.DROPOUT);
        if (image.get(1) % patch != 0 || image.get(2) % patch != 0) {
            throw new IllegalArgumentException(
                    "patch of %s must divide the sides of images of %s; it is %d".formatted(name.base(), image, patch));
        }
        long tokens = (long) (image.get(1) / patch) * (image.get(2) / patch) + 1;
        Sequential layers = Sequential.IDENTITY;
        for (int i = 0; i < name.number(TransformerSize.LAYERS, 1000); i++) {
            layers = layers.then("encoder_layer_" + i, layer(width, heads, dropout));
        }
        Sequential encoder = Sequential.of(
                        "", new PositionEmbedding("pos_embedding", List.of(1L, tokens, (long) width)))
                .thenDropout("dropout", dropout)
                .then("layers", layers)
                .then("ln", new LayerNorm(width, EPSILON));
        InitialValues head = InitialValues.ZEROS;
        return NetworkDefinition.of(
                name,
                Sequential.of("conv_proj", patches(image.get(0), width, patch))
                        .then("patches", new PatchTokens())
                        .then("", new ClassToken(width))
                        .then("encoder", encoder)
                        .then("first", new FirstToken())
                        .then("heads", Sequential.of("head", new Linear(width, name.classes(), head, head))));
    }

    private static Conv2d patches(int channels, int width, int patch) {
        return new Conv2d(channels, width, patch, patch, 0, true, Conv2d.Start.FAN_IN_NORMAL);
    }

    private static Sequential layer(int width, int heads, float dropout) {
        Linear in = new Linear(
                width,
                3 * width,
                InitialValues.xavierUniform(width, 3L * width),
                Optional.of(InitialValues.ZEROS),
                Linear.Form.IN_PROJECTION);
        Sequential attention = Sequential.of("", in)
                .then("attention", new SelfAttention(width, heads, false, 0))
                .then("out_proj", new Linear(width, width, InitialValues.fanInUniform(width), InitialValues.ZEROS));
        Sequential perceptron = Sequential.of("0", linear(width, 4 * width))
                .then("1", new Gelu(false))
                .thenDropout("2", dropout)
                .then("3", linear(4 * width, width))
                .thenDropout("4", dropout);
        Sequential first = Sequential.of("ln_1", new LayerNorm(width, EPSILON))
                .then("self_attention", attention)
                .thenDropout("dropout", dropout);
        return Sequential.of("", Residual.of(first))
                .then(
                        "",
                        Residual.of(Sequential.of("ln_2", new LayerNorm(width, EPSILON))
                                .then("mlp", perceptron)));
    }

    private static Linear linear(int in, int out) {
        return new Linear(in, out, InitialValues.xavierUniform(in, out), new InitialValues.Normal(1e-6));
    }

    @Override
    public List<String> names() {
        return List.copyOf(TABLE.keySet());
    }

    @Override
    public String describe(String base) {
        return base.equals(SMALL)
                ? "a small vision transformer (Dosovitskiy et al. 2021), with torchvision's names"
                : "%s (Dosovitskiy et al. 2021), as torchvision has it".formatted(base.replace("vit", "ViT"));
    }

    @Override
    public Task usual(String base) {
        return base.equals(SMALL) ? new ImageClassification(List.of(3, 32, 32), 10) : LargeImages.super.usual(base);
    }

    @Override
    public SortedMap<String, String> defaults(String base, Task task) {
        Row row = Objects.requireNonNull(TABLE.get(base));
        SortedMap<String, String> arguments = row.size().arguments();
        arguments.put(PATCH, Integer.toString(row.patch()));
        arguments.put(TransformerSize.DROPOUT, "0");
        return arguments;
    }
}
