package org.fleetgrad.networks.huggingface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BertConfigTest {

    private static final NetworkName SMALL = NetworkName.parse(
            "bert?classes=3&context=16&dropout=0.1&heads=4&layers=2&padding=5&positions=64&vocabulary=40&width=32");

    /** As BertConfig writes it for bert-base-uncased. */
    private static final String PUBLISHED = """
            {"architectures": ["BertForMaskedLM"], "attention_probs_dropout_prob": 0.1, "hidden_act": "gelu",
             "hidden_dropout_prob": 0.1, "hidden_size": 768, "initializer_range": 0.02, "intermediate_size": 3072,
             "layer_norm_eps": 1e-12, "max_position_embeddings": 512, "model_type": "bert", "num_attention_heads": 12,
             "num_hidden_layers": 12, "pad_token_id": 0, "type_vocab_size": 2, "vocab_size": 30522}""";

    private static String read(String json) {
        return HuggingFaceNetwork.read(json.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static byte[] write(String... classes) {
        return HuggingFaceNetwork.write(SMALL, List.of(classes)).orElseThrow();
    }

    /** The dataset determines the context, whatever it was before. */
    @Test
    void shouldReadWhatItWrote() {
        assertThat(HuggingFaceNetwork.read(write("bad", "good")))
                .hasToString(SMALL.toString().replace("context=16&", ""));
    }

    @Test
    void shouldNameTheClasses() {
        JsonNode json = JsonMapper.shared().readTree(write("bad", "good"));

        assertThat(json.get("id2label")).hasToString("{\"0\":\"bad\",\"1\":\"good\",\"2\":\"LABEL_2\"}");
        assertThat(json.get("label2id")).hasToString("{\"bad\":0,\"good\":1,\"LABEL_2\":2}");
        assertThat(json.get("architectures").get(0).asString()).isEqualTo("BertForSequenceClassification");
    }

    @Test
    void shouldKnowThePublishedNetwork() {
        assertThat(read(PUBLISHED))
                .isEqualTo(
                        "bert-base?classes=2&dropout=0.1&heads=12&layers=12&padding=0&positions=512&vocabulary=30522&width=768");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"gelu\"|\"relu\"|'hidden_act' must be \"gelu\"; it is \"relu\"",
                "1e-12|1e-5|'layer_norm_eps' must be 1e-12; it is 1.0E-5",
                "3072|3000|'intermediate_size' must be 4 hidden_size = 3072; it is 3000",
                "\"type_vocab_size\": 2|\"type_vocab_size\": 3|'type_vocab_size' must be 2; it is 3",
                "\"hidden_dropout_prob\": 0.1|\"hidden_dropout_prob\": 0.2|hidden_dropout_prob, attention_probs_dropout_prob must be the same; they are [0.2, 0.1]",
                "BertForMaskedLM|BertForTokenClassification|'architectures' must be one of",
                "\"pad_token_id\": 0|\"pad_token_id\": 40000|padding of bert-base must be a number from 0 to 30521; it is '40000'",
                "\"model_type\": \"bert\"|\"model_type\": \"roberta\"|'model_type' must be \"gpt2\" or \"bert\"; it is \"roberta\"",
                "\"pad_token_id\": 0|\"is_decoder\": true|'is_decoder' must be false; it is true",
                "\"pad_token_id\": 0|\"problem_type\": \"regression\"|'problem_type' must be null or \"single_label_classification\"; it is \"regression\""
            })
    void shouldRefuseWhatComputesSomethingElse(String there, String other, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Networks.usual(read(PUBLISHED.replace(there, other))))
                .withMessageContaining(message);
    }

    @Test
    void shouldFindTheTensorsOfOlderFiles() {
        TensorSet published = file(
                "embeddings.LayerNorm.gamma",
                "embeddings.LayerNorm.beta",
                "embeddings.position_ids",
                "cls.predictions.bias",
                "pooler.dense.bias");

        assertThat(HuggingFaceNetwork.tensors(SMALL, published))
                .isEqualTo(Map.of(
                        "bert.embeddings.LayerNorm.weight",
                        "embeddings.LayerNorm.gamma",
                        "bert.embeddings.LayerNorm.bias",
                        "embeddings.LayerNorm.beta",
                        "bert.pooler.dense.bias",
                        "pooler.dense.bias"));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> HuggingFaceNetwork.tensors(SMALL, file("pooler.dense.bias", "bert.pooler.dense.bias")))
                .withMessageContaining("which are the same of a BERT");
    }

    private static TensorSet file(String... names) {
        TensorLayout layout = TensorLayout.canonical(
                Stream.of(names).map(name -> TensorSpec.f32(name, 1)).toList());
        return TensorSet.ofFloats(layout, new float[names.length], Map.of());
    }
}
