package org.fleetgrad.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.text.JsonTokenizer;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.networks.Task.LanguageModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelDescriptionTest {

    private static final ModelDescription DESCRIPTION =
            new ModelDescription(new Normalization(List.of(0.1307f, 0.5f), List.of(0.3081f, 0.25f)), List.of("a", "b"));

    private static final ServedNetwork NETWORK = network(2, 2);

    @Test
    void shouldStayWhenMetadataIsSilent() {
        assertThat(DESCRIPTION.withMetadata(Map.of("generation", "g"), NETWORK)).isEqualTo(DESCRIPTION);
    }

    @Test
    void shouldScaleEachChannelAndNumberEachOutputWhenNobodySaysMore() {
        ModelDescription nothing = new ModelDescription(new Normalization(List.of(0.25f), List.of(0.5f)), List.of());

        ModelDescription stated = nothing.withMetadata(Map.of(), network(3, 4));

        assertThat(stated.normalization())
                .isEqualTo(new Normalization(List.of(0.25f, 0.25f, 0.25f), List.of(0.5f, 0.5f, 0.5f)));
        assertThat(stated.classes()).containsExactly("0", "1", "2", "3");
    }

    @Test
    void shouldRefuseSettingsOfAnotherNumberOfChannelsUnlessMetadataStatesThem() {
        assertThatThrownBy(() -> DESCRIPTION.withMetadata(Map.of(), network(3, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "its metadata states no 'normalization', and inference.mean has 2 numbers; the network takes"
                                + " images of 3 channels: write 1 number or 3");

        assertThat(DESCRIPTION
                        .withMetadata(Map.of("normalization", "{\"mean\":[0,0,0],\"std\":[1,1,1]}"), network(3, 2))
                        .normalization()
                        .mean())
                .hasSize(3);
    }

    private static ServedNetwork network(int channels, int outputs) {
        return new ServedNetwork("n", new ImageClassification(List.of(channels, 16, 16), outputs), 1);
    }

    @Test
    void shouldYieldToMetadata() {
        ModelDescription stated = DESCRIPTION.withMetadata(
                Map.of("normalization", "{\"mean\":[0.25,0],\"std\":[1,2]}", "classes", "[\"x\",\"y\"]"), NETWORK);

        assertThat(stated.normalization()).isEqualTo(new Normalization(List.of(0.25f, 0f), List.of(1f, 2f)));
        assertThat(stated.classes()).containsExactly("x", "y");
    }

    /** Metadata name a tokenizer that is a file; the held-out samples have the file. */
    @Test
    void shouldTakeTheFileOfATokenizerFromTheHeldOutSamples() {
        byte[] file = "{\"model\":{\"vocab\":{\"a\":0,\"e\":4}}}".getBytes(StandardCharsets.UTF_8);
        String text = "tokenizer.json:5:" + Sha256.of(ByteBuffer.wrap(file));
        ServedNetwork network = new ServedNetwork("n", new LanguageModel(4, 5), 1);
        ModelDescription known = new ModelDescription(
                ModelDescription.NONE.normalization(),
                List.of(),
                Optional.of(((JsonTokenizer) Tokenizer.parse(text)).with(file)));

        assertThat(known.withMetadata(Map.of("tokenizer", text), network)
                        .tokenizer()
                        .map(tokenizer -> ((JsonTokenizer) tokenizer).file().isPresent()))
                .contains(true);
        String other = "tokenizer.json:5:" + "0".repeat(64);
        assertThat(known.withMetadata(Map.of("tokenizer", other), network)
                        .tokenizer()
                        .map(tokenizer -> ((JsonTokenizer) tokenizer).file().isPresent()))
                .contains(false);
        assertThatThrownBy(() -> known.withMetadata(Map.of("tokenizer", "tokenizer.json:6:" + "0".repeat(64)), network))
                .hasMessage("the parameter set's metadata 'tokenizer' has 6 tokens, the network has a vocabulary of 5");
    }

    @Test
    void shouldNameTheOutputsThatMetadataHasNoClassFor() {
        assertThat(DESCRIPTION
                        .withMetadata(Map.of("classes", "[\"x\"]"), NETWORK)
                        .classes())
                .containsExactly("x", "output 1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "normalization | {\"mean\":[0.25],\"std\":[1]}     | is for 1 channels, the network has 2",
                "normalization | {\"mean\":[0.25,1],\"std\":[1,0]} | std finite and positive",
                "normalization | {\"mean\":[0.25                   | 'normalization' is malformed",
                "normalization | {\"mean\":null,\"std\":[1,2]}     | 'normalization' is malformed",
                "normalization | null                              | 'normalization' is malformed",
                "classes       | [\"x\",\"y\",\"z\"]               | names 3 classes, the network has 2 outputs",
                "classes       | [\"x\",null]                      | 'classes' is malformed",
                "classes       | null                              | 'classes' is malformed",
                "classes       | {}                                | 'classes' is malformed"
            })
    void shouldRejectMetadataThatIsNotOfThisNetwork(String key, String value, String message) {
        assertThatThrownBy(() -> DESCRIPTION.withMetadata(Map.of(key, value), NETWORK))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldNormalizePixelsToTheBitsOfTheTraining() {
        ImageShape shape = new ImageShape(2, 16, 16);
        byte[] bytes = new byte[shape.values()];
        float[] pixels = new float[shape.values()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
            pixels[i] = i & 0xFF;
        }
        float[] expected = new float[shape.values()];
        DESCRIPTION.normalization().normalize(new ImageSamples(2, 16, 16, bytes, new byte[1]), 0, expected, 0);

        DESCRIPTION.normalize(pixels, shape);

        assertThat(pixels).isEqualTo(expected);
    }
}
