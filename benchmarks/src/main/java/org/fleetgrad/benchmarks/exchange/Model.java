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

/**
 * The parameter sets that are exchanged.
 *
 * @param word   for names
 * @param layout the layout
 */
record Model(String word, TensorLayout layout) {

    /** LeNet-5. */
    static final Model SMALL =
            new Model("247kb", Networks.named("lenet5").spec().layout());

    /** 25 million values in tensors of very different sizes, as in networks. */
    static final Model LARGE = new Model(
            "100mb",
            TensorLayout.canonical(List.of(
                    TensorSpec.f32("embedding.weight", 12_000, 1_000),
                    TensorSpec.f32("layer1.weight", 2_000, 4_000),
                    TensorSpec.f32("layer1.bias", 2_000),
                    TensorSpec.f32("layer2.weight", 1_000, 4_000),
                    TensorSpec.f32("layer2.bias", 1_000),
                    TensorSpec.f32("head.weight", 1_000, 997))));

    private static final float VALUE = 0.01f;

    /** Returns a fresh server that holds it. */
    Programs.Server serve(Programs programs) throws IOException, InterruptedException {
        Programs.Server server = programs.startServer();
        float[] values = new float[Math.toIntExact(layout.elementCount())];
        Arrays.fill(values, VALUE);
        server.client().putInitial(TensorSet.ofFloats(layout, values, Map.of()));
        return server;
    }

    /** Returns about as many bytes as the server answers to a pull. */
    int answerBytes() {
        return Math.toIntExact(layout.byteLength()) + 1024;
    }
}
