package org.fleetgrad.serving.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.sampling.Sampling;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.NetworkClassifiers;
import org.fleetgrad.serving.completion.CompletionStart.Invalid;
import org.fleetgrad.serving.completion.CompletionStart.Unfit;
import org.fleetgrad.serving.policy.WantedVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A small GPT-2. The oracle is the network itself, over the whole text anew for each token. */
@Tag("kernels")
class GreedyCompletionTest {

    private static final int CONTEXT = 16;
    private static final String ALPHABET = "\nabcdefgh";
    private static final int TOKENS = 10;
    private static final NetworkDefinition DEFINITION =
            Networks.usual("gpt2?context=16&dropout=0&heads=2&layers=1&tied=yes&vocabulary=12&width=16");

    private final LiveModel model =
            new LiveModel(new NetworkClassifiers(Device.CPU), network -> ModelDescription.NONE, 1 << 24);
    private final Completions completions =
            new Completions(model, new CompletionLimits(4, 1 << 24, 100, 1), nanos -> {});

    @AfterEach
    void close() {
        completions.close();
        model.close();
    }

    private static float[] parameters(long seed) {
        return DEFINITION.initialParameters(seed);
    }

    private void serve(long number, Map<String, String> metadata) {
        model.swapTo(
                new ParameterVersion("g", number),
                TensorSet.ofFloats(DEFINITION.spec().layout(), parameters(number), metadata));
    }

    private static Map<String, String> metadata() {
        return Map.of(MetadataKeys.NETWORK, DEFINITION.spec().name(), MetadataKeys.TOKENIZER, "characters:" + ALPHABET);
    }

    private static CompletionRequest greedy(String prompt) {
        return new CompletionRequest(WantedVersion.BY_POLICY, false, prompt, TOKENS, Sampling.GREEDY, 0, List.of());
    }

    @Test
    void shouldChooseTheMostProbableTokensOfTheAlphabet() throws Exception {
        serve(7, metadata());
        RecordedText recorded = new RecordedText();

        assertThat(completions.begin(greedy("abba"), recorded)).isInstanceOf(CompletionStart.Begun.class);

        assertThat(recorded.end().completionTokens()).isEqualTo(TOKENS);
        assertThat(recorded.text()).isEqualTo(byHand("abba", 7));
    }

    private static String byHand(String prompt, long seed) {
        Tokenizer tokenizer = Tokenizer.parse("characters:" + ALPHABET);
        StringBuilder text = new StringBuilder(prompt);
        try (Network network = Libtorch.open(DEFINITION, Device.CPU)) {
            network.load(TensorSet.ofFloats(DEFINITION.spec().layout(), parameters(seed), Map.of()));
            while (text.length() < prompt.length() + TOKENS) {
                int[] tokens = tokenizer.encode(text.toString());
                float[] input = new float[CONTEXT];
                for (int i = 0; i < tokens.length; i++) {
                    input[i] = tokens[i];
                }
                float[] logits = network.logits(input, 1);
                int from = (tokens.length - 1) * DEFINITION.spec().classes();
                int most = 0;
                // The network has more outputs than the alphabet has characters.
                for (int i = 0; i < ALPHABET.length(); i++) {
                    most = logits[from + i] > logits[from + most] ? i : most;
                }
                text.append(tokenizer.decode(most));
            }
        }
        return text.substring(prompt.length());
    }

    @Test
    void shouldNameTheCharacterThatIsNotInTheAlphabet() {
        serve(1, metadata());

        assertThat(completions.begin(greedy("abz"), new RecordedText()))
                .isEqualTo(new Invalid(
                        "the prompt cannot be read: character 2, 'z' (U+007A), is not one of the alphabet's 9"));
    }

    @Test
    void shouldRefuseAParameterSetWithoutATokenizer() {
        serve(1, Map.of(MetadataKeys.NETWORK, DEFINITION.spec().name()));

        assertThat(completions.begin(greedy("a"), new RecordedText()))
                .isEqualTo(new Unfit("the parameter set g-1 states no tokenizer in its metadata"));
    }

    @Test
    void shouldRefuseANetworkForImages() {
        NetworkDefinition lenet = Networks.usual("lenet5");
        model.swapTo(
                new ParameterVersion("g", 1),
                TensorSet.ofFloats(
                        lenet.spec().layout(),
                        lenet.initialParameters(1),
                        Map.of(MetadataKeys.NETWORK, lenet.spec().name())));

        assertThat(completions.begin(greedy("a"), new RecordedText()))
                .isEqualTo(new Unfit("the network lenet5?classes=10&input=1x28x28 takes images of [1, 28, 28]: it does"
                        + " not continue texts"));
    }
}
