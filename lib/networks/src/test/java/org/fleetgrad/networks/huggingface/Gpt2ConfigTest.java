package org.fleetgrad.networks.huggingface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class Gpt2ConfigTest {

    private static final String SMALLEST =
            "gpt2?context=64&dropout=0&heads=4&layers=4&tied=yes&vocabulary=65&width=128";

    /** Of the model that Hugging Face publishes as gpt2. */
    private static final String PUBLISHED = """
            {
              "activation_function": "gelu_new",
              "architectures": ["GPT2LMHeadModel"],
              "attn_pdrop": 0.1, "bos_token_id": 50256, "embd_pdrop": 0.1, "eos_token_id": 50256,
              "initializer_range": 0.02, "layer_norm_epsilon": 1e-05, "model_type": "gpt2",
              "n_ctx": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024, "resid_pdrop": 0.1,
              "summary_activation": null, "summary_first_dropout": 0.1, "summary_type": "cls_index",
              "task_specific_params": {"text-generation": {"do_sample": true, "max_length": 50}},
              "vocab_size": 50257
            }
            """;

    private static String read(String json) {
        return Gpt2Config.read(json.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** The published configuration with a key set. */
    private static String with(String key, String value) {
        return PUBLISHED.replaceFirst("\\{", "{\"%s\": %s,".formatted(key, value));
    }

    /** The same, of a key that is there. */
    private static String changed(String key, String value) {
        String changed = PUBLISHED.replaceFirst("\"%s\": [^,\\n}]+".formatted(key), "\"%s\": %s".formatted(key, value));
        assertThat(changed).isNotEqualTo(PUBLISHED);
        return changed;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                SMALLEST,
                "gpt2?context=16&dropout=0.25&heads=2&layers=3&tied=no&vocabulary=30&width=24",
                "gpt2?context=1024&dropout=0.1&heads=12&layers=12&tied=yes&vocabulary=50257&width=768",
                "gpt2-medium?context=1024&dropout=0.000001&heads=16&layers=24&tied=yes&vocabulary=50257&width=1024"
            })
    void shouldReadWhatItWrites(String network) {
        assertThat(Gpt2Config.read(Gpt2Config.write(NetworkName.parse(network))))
                .hasToString(network);
    }

    @Test
    void shouldWriteEachSizeUnderTheNameThatHuggingFaceReads() {
        JsonNode json = JsonMapper.shared().readTree(Gpt2Config.write(NetworkName.parse(SMALLEST)));

        assertThat(json).isEqualTo(JsonMapper.shared().readTree("""
                                {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_layer": 4, "n_head": 4,
                                "n_embd": 128, "n_inner": null, "n_positions": 64, "n_ctx": 64, "vocab_size": 65,
                                "tie_word_embeddings": true, "activation_function": "gelu_new",
                                "layer_norm_epsilon": 1e-5, "initializer_range": 0.02, "resid_pdrop": 0.0,
                                "embd_pdrop": 0.0, "attn_pdrop": 0.0, "bos_token_id": null, "eos_token_id": null,
                                "torch_dtype": "float32"}"""));
    }

    @Test
    void shouldReadThePublishedConfiguration() {
        assertThat(read(PUBLISHED)).isEqualTo(Networks.usual("gpt2").spec().name());
        assertThat(read(with("tie_word_embeddings", "false"))).contains("&tied=no&");
        assertThat(read(with("n_inner", "3072"))).isEqualTo(read(PUBLISHED));
        assertThat(read(changed("activation_function", "\"gelu_pytorch_tanh\"")))
                .isEqualTo(read(PUBLISHED));
    }

    @Test
    void shouldEndTextsOnlyWithAPublishedVocabulary() {
        JsonNode json = JsonMapper.shared()
                .readTree(Gpt2Config.write(
                        NetworkName.parse(Networks.usual("gpt2").spec().name())));

        assertThat(json.get("eos_token_id").intValue()).isEqualTo(50_256);
        assertThat(json.get("bos_token_id").intValue()).isEqualTo(50_256);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    model_type          | "llama"             | 'model_type' must be "gpt2"; it is "llama"
                    activation_function | "relu"              | 'activation_function' must be "gelu_new" or "gelu_pytorch_tanh"; it is "relu"
                    layer_norm_epsilon  | 1e-6                | 'layer_norm_epsilon' must be 0.00001; it is 1.0E-6
                    n_layer             | 0                   | 'n_layer' must be a whole number from 1; it is 0
                    n_layer             | 12.0                | 'n_layer' must be a whole number from 1; it is 12.0
                    n_embd              | "768"               | 'n_embd' must be a whole number from 1; it is "768"
                    n_positions         | 4294967297          | 'n_positions' must be a whole number from 1; it is 4294967297
                    n_positions         | 2000000             | context of gpt2 must be a number from 1 to 1048576; it is '2000000'
                    n_head              | 7                   | the heads must divide the width; there are 7 heads and a width of 768
                    resid_pdrop         | 0.2                 | resid_pdrop, embd_pdrop, attn_pdrop must be the same; they are [0.2, 0.1, 0.1]
                    architectures       | ["GPT2Model", "A"]  | 'architectures' must be one of ["GPT2LMHeadModel"], ["GPT2Model"]; it is ["GPT2Model","A"]
                    """)
    void shouldRefuseAnotherValue(String key, String value, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(
                        key.equals("architectures")
                                ? PUBLISHED.replace("[\"GPT2LMHeadModel\"]", value)
                                : changed(key, value)))
                .withMessage(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    n_inner                         | 1000               | 'n_inner' must be null or 4 n_embd = 3072; it is 1000
                    scale_attn_weights              | false              | 'scale_attn_weights' must be true; it is false
                    scale_attn_by_inverse_layer_idx | true               | 'scale_attn_by_inverse_layer_idx' must be false; it is true
                    reorder_and_upcast_attn         | true               | 'reorder_and_upcast_attn' must be false; it is true
                    add_cross_attention             | true               | 'add_cross_attention' must be false; it is true
                    tie_word_embeddings             | 1                  | 'tie_word_embeddings' must be true or false; it is 1
                    quantization_config             | {"bits": 4}        | 'quantization_config' must be null; it is {"bits":4}
                    """)
    void shouldRefuseWhatItDoesNotCompute(String key, String value, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(with(key, value)))
                .withMessage(message);
    }

    @Test
    void shouldRefuseAMissingSize() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(PUBLISHED.replace("\"n_head\": 12,", "")))
                .withMessage("'n_head' must be a whole number from 1; it is missing");
    }

    @Test
    void shouldRefuseMoreLayersThanAParameterSetHas() {
        assertThatThrownBy(() -> read(changed("n_layer", "1000")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has parameters of 28509029376 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{}x", "{\"n_layer\": NaN}", "{\"n_layer\": 1, \"n_layer\": 2}", "null"})
    void shouldRefuseWhatIsNotAJsonObject(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(text))
                .withMessageMatching("(?s)it is not (JSON: .+|a JSON object)");
    }

    @Test
    void shouldRefuseALongFileUnread() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Gpt2Config.read(new byte[Gpt2Config.MOST_BYTES + 1]))
                .withMessage("it is longer than 1048576 bytes");
    }

    @Test
    void shouldWriteOnlyGpt2() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Gpt2Config.write(
                        NetworkName.parse(Networks.usual("lenet5").spec().name())))
                .withMessage("the network 'lenet5?classes=10&input=1x28x28' is not a GPT-2");
    }
}
