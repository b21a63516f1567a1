package org.fleetgrad.serving.texts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.datasets.text.CharacterTokenizer;
import org.fleetgrad.datasets.text.SampleEncoding;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.networks.Task.TextClassification;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.SampleForm;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTextsTest {

    private static final ServedNetwork NETWORK = new ServedNetwork("bert", new TextClassification(4, 4, 2, 3), 1);

    private static SampleForm form(String tokenizer) {
        return new SampleForm(NETWORK, Optional.of(Tokenizer.parse(tokenizer)));
    }

    private static Images read(String body) {
        return form("characters:abc").read(body.getBytes(StandardCharsets.UTF_8), 2, lease());
    }

    /** One text is filled up with the token 3, the other cut. */
    private static SampleMemory.Lease lease() {
        return new SampleMemory(1 << 20).lease();
    }

    @Test
    void shouldReadTextsAsRowsOfTokens() {
        Images texts = read("{\"texts\": [\"ab\", \"cbabc\"]}");

        assertThat(texts.count()).isEqualTo(2);
        assertThat(texts.shape()).isEqualTo(new ImageShape(1, 1, 4)).isEqualTo(NETWORK.shape());
        assertThat(texts.pixels()).containsExactly(0, 1, 3, 3, 2, 1, 0, 1);
        assertThat(read("{\"text\": \"ab\"}").pixels()).containsExactly(0, 1, 3, 3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|it has neither",
                "[]|it has neither",
                "{\"text\"|the body is not JSON",
                "{\"images\": [[1]]}|it has 'images'",
                "{\"texts\": \"ab\"}|'texts' must be an array; it is a string",
                "{\"texts\": []}|'texts' is empty",
                "{\"texts\": [\"a\", 1]}|text 1 must be a string; it is a number",
                "{\"texts\": [\"a\", \"\"]}|text 1 cannot be read: a text has 1 or more tokens; it has none",
                "{\"texts\": [\"a\", \"bd\"]}|text 1 cannot be read: character 1, 'd' (U+0064), is not one of the alphabet's 3",
                "{\"text\": \"a\", \"texts\": [\"a\"]}|it has more content after the texts",
                "{\"text\": \"a\"} 1|it has more content after the texts"
            })
    void shouldSayWhatIsWrong(String body, String message) {
        assertThatThrownBy(() -> read(body))
                .isInstanceOfSatisfying(
                        InvalidImagesException.class,
                        wrong -> assertThat(wrong.rule()).isEqualTo(Rule.MALFORMED))
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseTooManyTexts() {
        assertThatThrownBy(() -> read("{\"texts\": [\"a\", \"b\", \"c\"]}"))
                .isInstanceOfSatisfying(
                        InvalidImagesException.class,
                        wrong -> assertThat(wrong.rule()).isEqualTo(Rule.TOO_MANY))
                .hasMessage("the request has more texts than the limit of 2");
    }

    @Test
    void shouldSayWhereTheTokenizerIs() {
        byte[] body = "{\"text\": \"a\"}".getBytes(StandardCharsets.UTF_8);
        SampleForm unknown = form("tokenizer.json:4:" + "0".repeat(64));

        assertThatThrownBy(() -> unknown.read(body, 2, lease()))
                .isInstanceOfSatisfying(
                        InvalidImagesException.class,
                        wrong -> assertThat(wrong.rule()).isEqualTo(Rule.NO_TOKENIZER))
                .hasMessageContaining("tokenizer.json with 4 tokens, SHA-256 0000")
                .hasMessageContaining("inference.test-shard");
    }

    /** Numbers are no texts, and texts no images. */
    @Test
    void shouldReadWhatTheNetworkTakes() {
        SampleForm images = new SampleForm(
                new ServedNetwork("mlp", new ImageClassification(List.of(1, 1, 2), 2), 1), Optional.empty());

        assertThat(images.read("{\"image\":[1,2]}".getBytes(StandardCharsets.UTF_8), 2, lease())
                        .pixels())
                .containsExactly(1, 2);
        assertThatThrownBy(() -> images.read("{\"text\":\"a\"}".getBytes(StandardCharsets.UTF_8), 2, lease()))
                .isInstanceOf(InvalidImagesException.class);
        assertThatThrownBy(images::texts).hasMessageContaining("not texts");
        assertThatThrownBy(() -> form("characters:abc").images()).hasMessageContaining("not images");
    }

    /** The marks stay, as with {@code truncation=True}. */
    @Test
    void shouldCutTextsWithoutMarksAtTheEnd() {
        SampleEncoding encoding = new SampleEncoding(CharacterTokenizer.of("abc"), 2, 3);

        assertThat(encoding.encode("cba").tokens()).containsExactly(2, 1);
        assertThat(encoding.encode("cba").length()).isEqualTo(3);
    }
}
