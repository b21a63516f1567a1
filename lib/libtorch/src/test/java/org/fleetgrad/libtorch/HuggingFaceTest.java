package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.networks.huggingface.Gpt2Config;
import org.fleetgrad.networks.huggingface.Gpt2Tensors;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A folder with {@code config.json} and {@code model.safetensors} is the same network here and in Hugging Face's transformers,
 * whichever side wrote it: the logits of one text are compared, PyTorch's in float64.
 */
@Tag("whole")
class HuggingFaceTest {

    private static final String TIED = "gpt2?context=16&dropout=0&heads=4&layers=2&tied=yes&vocabulary=40&width=32";
    private static final String UNTIED = "gpt2?context=16&dropout=0.1&heads=2&layers=3&tied=no&vocabulary=30&width=24";

    private static final String LOGITS = """
            import sys, torch
            from safetensors.torch import load_file, save_file

            def save_logits(network, folder):
                config = network.config
                i = torch.arange(2 * config.n_positions)
                tokens = ((i * i + 3 * i) % config.vocab_size).reshape(2, -1)
                with torch.no_grad():
                    save_file({"logits": network.double().eval()(tokens).logits.float()}, folder + "/logits.safetensors")
            """;

    private static final String OPEN = LOGITS + """
            network, info = transformers.AutoModelForCausalLM.from_pretrained(sys.argv[1], output_loading_info=True)
            print(type(network).__name__, {key: len(value) for key, value in info.items() if value})
            save_logits(network, sys.argv[1])
            """;

    /** Larger values than the initial ones, so that the logits are apart and the attention is not uniform. */
    private static final String SAVE = LOGITS + """
            folder, form, layers, heads, width, context, vocabulary, tied = sys.argv[1:]
            torch.manual_seed(5)
            network = transformers.GPT2LMHeadModel(transformers.GPT2Config(
                n_layer=int(layers), n_head=int(heads), n_embd=int(width), n_positions=int(context),
                vocab_size=int(vocabulary), tie_word_embeddings=tied == "yes", initializer_range=0.2))
            network.save_pretrained(folder)
            file = folder + "/model.safetensors"
            tensors = load_file(file)
            if form == "published":
                # As the oldest files have it: names of GPT2Model, and the buffers of the causal mask.
                tensors = {name.removeprefix("transformer."): value for name, value in tensors.items()}
                for i in range(int(layers)):
                    tensors[f"h.{i}.attn.bias"] = torch.ones(16, 16).tril().bool().view(1, 1, 16, 16)
                    tensors[f"h.{i}.attn.masked_bias"] = torch.tensor(-1e4)
            elif form == "head":
                tensors["lm_head.weight"] = tensors["transformer.wte.weight"].clone()
            save_file(tensors, file, {"format": "pt"})
            save_logits(network, folder)
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {TIED, UNTIED})
    void shouldBeOpenedByTransformers(String name) throws Exception {
        NetworkDefinition definition = Networks.named(name);
        Map<String, String> metadata = Map.of("format", "pt", "network", name);
        TensorSet parameters = TensorSet.ofFloats(definition.spec().layout(), Formula.parameters(definition), metadata);
        Files.write(file(), Safetensors.encode(parameters).array());
        Files.write(config(), Gpt2Config.write(NetworkName.parse(name)));

        // Without any missing, unexpected or mismatched key.
        assertThat(Python.runWithTransformers(OPEN, folder.toString())).isEqualTo("GPT2LMHeadModel {}\n");
        compare(definition, parameters);
    }

    @ParameterizedTest
    @CsvSource({"saved,yes", "saved,no", "published,yes", "head,yes"})
    void shouldOpenWhatTransformersSaves(String form, String tied) throws Exception {
        Python.runWithTransformers(SAVE, folder.toString(), form, "3", "4", "32", "16", "40", tied);

        NetworkName name = Gpt2Config.read(Files.readAllBytes(config()));
        NetworkDefinition definition = Networks.named(name.toString());

        assertThat(name)
                .hasToString("gpt2?context=16&dropout=0.1&heads=4&layers=3&tied=%s&vocabulary=40&width=32", tied);
        compare(definition, renamed(definition, read(file()), tied.equals("yes")));
    }

    @Test
    void shouldReadTheConfigurationThatTransformersWritesOfOurs() throws Exception {
        Files.write(config(), Gpt2Config.write(NetworkName.parse(UNTIED)));

        Python.runWithTransformers(
                "import sys; transformers.AutoConfig.from_pretrained(sys.argv[1]).save_pretrained(sys.argv[1])",
                folder.toString());

        assertThat(Files.readString(config())).contains("transformers_version");
        assertThat(Gpt2Config.read(Files.readAllBytes(config()))).hasToString(UNTIED);
    }

    private static TensorSet renamed(NetworkDefinition definition, TensorSet file, boolean isTied) {
        SortedMap<String, String> names = Gpt2Tensors.names(file, isTied);
        assertThat(names.keySet())
                .containsExactlyElementsOf(definition.spec().layout().specs().stream()
                        .map(TensorSpec::name)
                        .toList());
        ByteBuffer values =
                ByteBuffer.allocate(Math.toIntExact(definition.spec().layout().byteLength()));
        names.values().forEach(theirs -> values.put(file.bytes(theirs).orElseThrow()));
        return new TensorSet(definition.spec().layout(), values.flip(), Map.of());
    }

    private void compare(NetworkDefinition definition, TensorSet parameters) throws Exception {
        LanguageModel task = (LanguageModel) definition.spec().task();
        TensorSet theirs = read(folder.resolve("logits.safetensors"));
        float[] expected = theirs.toFloats(theirs.layout());
        float largest = 0;
        for (float each : expected) {
            largest = Math.max(largest, Math.abs(each));
        }
        try (Network network = Libtorch.open(definition, Device.CPU)) {
            network.load(parameters);
            float[] logits = network.logits(Formula.tokens(2 * task.context(), task.vocabulary()), 2);
            // The floor of the tolerances of golden-networks.json: see make_network_goldens.py.
            assertThat(logits).containsExactly(expected, within(1e-5f * largest));
        }
    }

    private Path file() {
        return folder.resolve("model.safetensors");
    }

    private Path config() {
        return folder.resolve(Gpt2Config.FILE);
    }

    private static TensorSet read(Path file) throws Exception {
        return Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(file)));
    }
}
