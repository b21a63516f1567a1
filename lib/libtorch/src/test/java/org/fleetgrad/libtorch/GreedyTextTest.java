package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.fleetgrad.libtorch.Network.NetworkReader;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.huggingface.Gpt2Config;
import org.fleetgrad.networks.sampling.Sampling;
import org.fleetgrad.networks.sampling.TokenSampler;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Greedy texts are those of Hugging Face's {@code generate(do_sample=False)}, token by token, with and without a cache. */
@Tag("whole")
class GreedyTextTest {

    private static final int CONTEXT = 32;
    private static final int VOCABULARY = 50;
    private static final int PROMPTS = 6;

    /** Larger than the initial values, so that logits are far apart; PyTorch's versions differ in their last bits. */
    private static final float SCALE = 8;

    /** Prints the text of each prompt twice: with a cache, and without. */
    private static final String GENERATE = """
            import sys, torch
            network = transformers.AutoModelForCausalLM.from_pretrained(sys.argv[1]).eval()
            for prompt in sys.argv[2:]:
                tokens = torch.tensor([[int(token) for token in prompt.split(",")]])
                count = network.config.n_positions - tokens.shape[1]
                for cache in (True, False):
                    text = network.generate(
                        tokens, attention_mask=torch.ones_like(tokens), pad_token_id=0, do_sample=False,
                        max_new_tokens=count, use_cache=cache)
                    print(",".join(str(token) for token in text[0].tolist()))
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gpt2?context=32&dropout=0&heads=4&layers=3&tied=yes&vocabulary=50&width=32",
                "gpt2?context=32&dropout=0.1&heads=2&layers=2&tied=no&vocabulary=50&width=24"
            })
    void shouldBeThatOfTransformers(String name) throws Exception {
        NetworkDefinition definition = Networks.named(name);
        TensorSet parameters = parameters(definition);
        Files.write(
                folder.resolve("model.safetensors"),
                Safetensors.encode(parameters).array());
        Files.write(folder.resolve(Gpt2Config.FILE), Gpt2Config.write(NetworkName.parse(name)));
        List<int[]> prompts = IntStream.range(0, PROMPTS)
                .mapToObj(i -> new Random(i).ints(1 + 3 * i, 0, VOCABULARY).toArray())
                .toList();
        String[] arguments = new String[PROMPTS + 1];
        arguments[0] = folder.toString();
        for (int i = 0; i < PROMPTS; i++) {
            arguments[i + 1] = line(prompts.get(i));
        }

        List<String> theirs =
                Python.runWithTransformers(GENERATE, arguments).lines().toList();

        try (Network network = Libtorch.open(definition, Device.CPU)) {
            network.load(parameters);
            try (NetworkReader reader = network.live()) {
                for (int i = 0; i < PROMPTS; i++) {
                    String uncached = greedy(prompts.get(i), text -> uncached(reader, text));
                    assertThat(theirs.subList(2 * i, 2 * i + 2)).containsOnly(uncached);
                    assertThat(cached(reader, prompts.get(i))).isEqualTo(uncached);
                }
            }
        }
        assertThat(theirs.stream().distinct()).hasSize(PROMPTS);
    }

    private static TensorSet parameters(NetworkDefinition definition) {
        float[] values = definition.initialParameters(9);
        for (int i = 0; i < values.length; i++) {
            values[i] *= SCALE;
        }
        return TensorSet.ofFloats(
                definition.spec().layout(), values, definition.spec().metadata());
    }

    private static String line(int[] tokens) {
        return Arrays.stream(tokens).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    private static String cached(NetworkReader reader, int[] prompt) {
        try (TextDecoder decoder = reader.decoder(CONTEXT)) {
            return greedy(prompt, text -> decoder.append(Arrays.copyOfRange(text, decoder.length(), text.length)));
        }
    }

    private static float[] uncached(NetworkReader reader, int[] text) {
        float[] sample = new float[CONTEXT];
        for (int i = 0; i < text.length; i++) {
            sample[i] = text[i];
        }
        float[] logits = reader.logits(sample, 1);
        return Arrays.copyOfRange(logits, (text.length - 1) * VOCABULARY, text.length * VOCABULARY);
    }

    private static String greedy(int[] prompt, Function<int[], float[]> logits) {
        TokenSampler sampler = new TokenSampler(Sampling.GREEDY, 0);
        int[] text = prompt;
        while (text.length < CONTEXT) {
            int next = sampler.next(logits.apply(text));
            text = Arrays.copyOf(text, text.length + 1);
            text[text.length - 1] = next;
        }
        return line(text);
    }
}
