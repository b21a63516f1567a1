package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task.TextClassification;
import org.fleetgrad.networks.huggingface.HuggingFaceNetwork;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link HuggingFaceTest} for BERT: the logits of texts that are filled up are compared, PyTorch's in float64. */
@Tag("whole")
class HuggingFaceBertTest {

    private static final String NAME =
            "bert?classes=3&context=12&dropout=0.1&heads=4&layers=2&padding=0&positions=16&vocabulary=40&width=32";

    private static final String LOGITS = """
            import sys, torch
            from safetensors.torch import save_file

            def save_logits(network, folder):
                i = torch.arange(2 * 12)
                tokens = (1 + (i * i + 3 * i) % 39).reshape(2, -1)
                tokens[1, 10:] = 0
                with torch.no_grad():
                    logits = network.double().eval()(tokens, attention_mask=(tokens != 0).long()).logits
                save_file({"logits": logits.float()}, folder + "/logits.safetensors")
            """;

    private static final String OPEN = LOGITS + """
            network, info = transformers.AutoModelForSequenceClassification.from_pretrained(
                sys.argv[1], output_loading_info=True)
            print(type(network).__name__, {key: len(value) for key, value in info.items() if value}, network.config.id2label)
            save_logits(network, sys.argv[1])
            """;

    private static final String SAVE = LOGITS + """
            torch.manual_seed(5)
            network = transformers.BertForSequenceClassification(transformers.BertConfig(
                num_hidden_layers=2, num_attention_heads=4, hidden_size=32, intermediate_size=128, vocab_size=40,
                max_position_embeddings=16, num_labels=3, initializer_range=0.2))
            network.save_pretrained(sys.argv[1])
            save_logits(network, sys.argv[1])
            """;

    @TempDir
    private Path folder;

    @Test
    void shouldBeOpenedByTransformers() throws Exception {
        NetworkDefinition definition = Networks.named(NAME);
        TensorSet parameters = TensorSet.ofFloats(
                definition.spec().layout(), Formula.parameters(definition), Map.of("format", "pt", "network", NAME));
        Files.write(
                folder.resolve("model.safetensors"),
                Safetensors.encode(parameters).array());
        Files.write(
                folder.resolve("config.json"),
                HuggingFaceNetwork.write(NetworkName.parse(NAME), List.of("a", "b", "c"))
                        .orElseThrow());

        // Without any missing, unexpected or mismatched key.
        assertThat(Python.runWithTransformers(OPEN, folder.toString()))
                .isEqualTo("BertForSequenceClassification {} {0: 'a', 1: 'b', 2: 'c'}\n");
        compare(definition, parameters);
    }

    @Test
    void shouldOpenWhatTransformersSaves() throws Exception {
        String unused = Python.runWithTransformers(SAVE, folder.toString());

        NetworkName name = HuggingFaceNetwork.read(Files.readAllBytes(folder.resolve("config.json")));
        NetworkDefinition definition = Networks.named(name.toString(), new TextClassification(12, 40, 3, 0));
        TensorSet file = read("model.safetensors");
        SortedMap<String, String> names = HuggingFaceNetwork.tensors(name, file);
        ByteBuffer values =
                ByteBuffer.allocate(Math.toIntExact(definition.spec().layout().byteLength()));
        names.values().forEach(theirs -> values.put(file.bytes(theirs).orElseThrow()));

        assertThat(definition.spec().name()).isEqualTo(NAME);
        compare(definition, new TensorSet(definition.spec().layout(), values.flip(), Map.of()));
    }

    private void compare(NetworkDefinition definition, TensorSet parameters) throws Exception {
        TensorSet theirs = read("logits.safetensors");
        float[] expected = theirs.toFloats(theirs.layout());
        float largest = 0;
        for (float each : expected) {
            largest = Math.max(largest, Math.abs(each));
        }
        try (Network network = Libtorch.open(definition, Device.CPU)) {
            network.load(parameters);
            // The floor of the tolerances of golden-networks.json: see make_network_goldens.py.
            assertThat(network.logits(Formula.padded(2, 12, 40), 2)).containsExactly(expected, within(1e-5f * largest));
        }
    }

    private TensorSet read(String file) throws Exception {
        return Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(folder.resolve(file))));
    }
}
