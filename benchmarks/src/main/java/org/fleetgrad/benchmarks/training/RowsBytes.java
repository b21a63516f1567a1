package org.fleetgrad.benchmarks.training;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.client.GradientSender;
import org.fleetgrad.datasets.text.Gpt2Tokenizer;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.Rows;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * Counts the bytes of a push of a small GPT-2 with GPT-2's vocabulary as rows: of one batch of real text, so the count is the same
 * on every machine.
 */
public record RowsBytes(Workbench bench) {

    private static final int BATCH = 12;
    private static final int CONTEXT = 64;
    private static final double MEGABYTE = 1e6;

    public List<Figure> measure() throws Exception {
        // 2,300 tokens of plain English that every checkout has.
        int[] text = new Gpt2Tokenizer().encode(Files.readString(Programs.HOME.resolve("LICENSE")));
        return List.of(measure("no", text), measure("yes", text));
    }

    private Figure measure(String tied, int[] text) throws Exception {
        bench.progress("rows: tied=%s", tied);
        NetworkDefinition definition =
                Networks.named("gpt2?context=%d&heads=4&layers=4&vocabulary=%d&width=128&dropout=0&tied=%s"
                        .formatted(CONTEXT, Gpt2Tokenizer.VOCABULARY, tied));
        float[] gradient = gradient(definition, text);
        NetworkSpec spec = definition.spec();
        GradientSender sender = new GradientSender(spec.layout(), spec.state(), FrozenTensors.NONE, new Rows(), 1);
        sender.prepare(List.of(), gradient);
        GradientSender plain = new GradientSender(spec.layout(), spec.state(), FrozenTensors.NONE, Encodings.PLAIN, 1);
        plain.prepare(List.of(), gradient);
        return Figure.of(
                        "rows-" + (tied.equals("no") ? "untied" : "tied"),
                        "a push of GPT-2 with 50,257 tokens (4 layers, width 128, %s), batch of %d × %d tokens, as rows"
                                .formatted(tied.equals("no") ? "untied" : "tied", BATCH, CONTEXT))
                .ours(sender.tensorBytes() / MEGABYTE, "MB")
                .rival(plain.tensorBytes() / MEGABYTE, "f32");
    }

    private static float[] gradient(NetworkDefinition definition, int[] text) {
        float[] tokens = new float[BATCH * CONTEXT];
        float[] labels = new float[BATCH * CONTEXT];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = text[i];
            labels[i] = text[i + 1];
        }
        NetworkSpec spec = definition.spec();
        float[] gradient = new float[Math.toIntExact(spec.layout().elementCount())];
        try (Network network = Libtorch.open(definition, Device.CPU)) {
            network.load(TensorSet.ofFloats(spec.layout(), definition.initialParameters(1), Map.of()));
            float unused = network.accumulate(tokens, labels, BATCH);
            network.drainGradient(gradient, 1);
        }
        return gradient;
    }
}
