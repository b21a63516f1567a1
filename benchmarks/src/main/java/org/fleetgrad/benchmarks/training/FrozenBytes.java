package org.fleetgrad.benchmarks.training;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.client.GradientSender;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * Counts the bytes of a push and of a pull of a ResNet-18 of which only the head is trained, beside those of all of it. They do
 * not depend on the values, so the count is the same on every machine.
 */
public record FrozenBytes(Workbench bench) {

    private static final String NETWORK = "resnet18?classes=10&input=3x32x32&stem=cifar";
    private static final String BODY = "conv1.*,bn1.*,layer*";
    private static final double KILOBYTE = 1e3;

    public List<Figure> measure() throws Exception {
        bench.progress("freeze: %s", NETWORK);
        NetworkSpec spec = Networks.named(NETWORK).spec();
        FrozenTensors body = FreezePatterns.parse(BODY).in(spec.layout(), spec.state());
        return List.of(
                Figure.of("freeze-push", "a push of ResNet-18 with ten classes of which the head is trained")
                        .ours(push(spec, body) / KILOBYTE, "kB")
                        .rival(push(spec, FrozenTensors.NONE) / KILOBYTE, "nothing frozen"),
                Figure.of("freeze-pull", "the pull in its answer, with its header")
                        .ours(pull(spec, body) / KILOBYTE, "kB")
                        .rival(pull(spec, FrozenTensors.NONE) / KILOBYTE, "nothing frozen"));
    }

    private static double push(NetworkSpec spec, FrozenTensors frozen) throws Exception {
        GradientSender sender = new GradientSender(spec.layout(), spec.state(), frozen, Encodings.PLAIN, 1);
        sender.prepare(
                List.of(),
                new float[Math.toIntExact(frozen.trainable(spec.layout()).elementCount())]);
        return sender.tensorBytes();
    }

    /** The file as a server writes it: with the metadata of the network, generation and version. */
    private static double pull(NetworkSpec spec, FrozenTensors frozen) {
        TensorLayout layout = frozen.trainable(spec.layout());
        Map<String, String> metadata = new TreeMap<>(spec.metadata());
        metadata.put("format", "pt");
        metadata.put(ParameterVersion.GENERATION_KEY, "5f2c9a1e0b7d4c36");
        metadata.put(ParameterVersion.VERSION_KEY, Long.toString(Long.MAX_VALUE));
        metadata.remove(ParameterState.KEY);
        String state = frozen.trainable(spec.state()).text();
        if (!state.isEmpty()) {
            metadata.put(ParameterState.KEY, state);
        }
        return SafetensorsHeader.encode(layout, metadata, 0).length + layout.byteLength();
    }
}
