package org.fleetgrad.benchmarks.exchange;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** A parameter set that is exchanged; its word is part of figures' names, its unit that of an exchange's time. */
public record Model(String word, TensorLayout layout, String unit, double microsInUnit) {

    public static final Model SMALL =
            new Model("247kb", Networks.usual("lenet5").spec().layout(), "µs", 1);

    public static final Model TINY =
            new Model("4kb", TensorLayout.canonical(List.of(TensorSpec.f32("only.weight", 1_000))), "µs", 1);

    /** 25 million values in tensors of very different sizes, as in real networks. */
    public static final Model LARGE = new Model(
            "100mb",
            TensorLayout.canonical(List.of(
                    TensorSpec.f32("embedding.weight", 12_000, 1_000),
                    TensorSpec.f32("layer1.weight", 2_000, 4_000),
                    TensorSpec.f32("layer1.bias", 2_000),
                    TensorSpec.f32("layer2.weight", 1_000, 4_000),
                    TensorSpec.f32("layer2.bias", 1_000),
                    TensorSpec.f32("head.weight", 1_000, 997))),
            "ms",
            1_000);

    /** The largest network of the zoo, but for a few statistics. */
    static final Model VGG_19 =
            new Model("vgg19", Networks.usual("vgg19").spec().layout(), "ms", 1_000);

    private static final float VALUE = 0.01f;

    public Programs.Server serve(Programs programs) throws IOException {
        return serve(programs, Map.of());
    }

    /** Starts a server with these settings, which has these parameters. */
    public Programs.Server serve(Programs programs, Map<String, String> settings) throws IOException {
        Programs.Server server = programs.startServer(settings);
        float[] values = new float[Math.toIntExact(layout.elementCount())];
        Arrays.fill(values, VALUE);
        server.client().putInitial(TensorSet.ofFloats(layout, values, Map.of()));
        return server;
    }

    /** Returns the approximate number of bytes of the server's answer to a pull. */
    int answerBytes() {
        return Math.toIntExact(layout.byteLength()) + 1024;
    }
}
