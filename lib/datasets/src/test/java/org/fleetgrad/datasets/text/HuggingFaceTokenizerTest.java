package org.fleetgrad.datasets.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HuggingFaceTokenizerTest {

    private static final String TEXT = "a bé\n\n!\"😀 c\u00a0\u0000";

    private static final String FILL_UP = """
            import json, sys
            from transformers import AutoTokenizer
            tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
            print(json.dumps(tokenizer(["ab", "b"], padding="max_length", max_length=3)["input_ids"]))
            """;

    private static final String ROUND_TRIP = """
            import json, sys
            from transformers import AutoTokenizer
            text = json.loads(sys.argv[2])
            tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
            tokens = tokenizer(text)["input_ids"]
            print(json.dumps({"tokens": tokens, "same": tokenizer.decode(tokens) == text, "size": len(tokenizer)}))
            """;

    @TempDir
    private Path folder;

    @Test
    void shouldWriteNothingForGpt2() {
        assertThat(HuggingFaceTokenizer.files(new Gpt2Tokenizer())).isEmpty();
        assertThat(HuggingFaceTokenizer.files(new ByteTokenizer()))
                .containsOnlyKeys("tokenizer.json", "tokenizer_config.json");
    }

    @Test
    @Tag("whole")
    void shouldFillUpAsSamplesAre() throws Exception {
        Python.requireTransformers();
        for (Tokenizer tokenizer : new Tokenizer[] {new ByteTokenizer(), CharacterTokenizer.of("abc")}) {
            for (Map.Entry<String, byte[]> file :
                    HuggingFaceTokenizer.files(tokenizer, true).entrySet()) {
                Files.write(folder.resolve(file.getKey()), file.getValue());
            }
            SampleEncoding encoding = new SampleEncoding(tokenizer, 3, SampleEncoding.paddingOf(tokenizer));

            assertThat(Python.runWithTransformers(FILL_UP, folder.toString()).strip())
                    .isEqualTo(
                            "[%s, %s]",
                            Arrays.toString(encoding.encode("ab").tokens()),
                            Arrays.toString(encoding.encode("b").tokens()));
        }
    }

    @Test
    @Tag("whole")
    void shouldBeOpenedByAutoTokenizer() throws Exception {
        Python.requireTransformers();
        for (Tokenizer tokenizer :
                new Tokenizer[] {new ByteTokenizer(), CharacterTokenizer.ofCharactersIn(TEXT + "xyz")}) {
            for (Map.Entry<String, byte[]> file :
                    HuggingFaceTokenizer.files(tokenizer).entrySet()) {
                Files.write(folder.resolve(file.getKey()), file.getValue());
            }
            JsonMapper json = JsonMapper.shared();

            JsonNode printed = json.readTree(
                    Python.runWithTransformers(ROUND_TRIP, folder.toString(), json.writeValueAsString(TEXT))
                            .strip()
                            .lines()
                            .reduce("", (before, last) -> last));

            assertThat(printed.get("tokens")
                            .valueStream()
                            .mapToInt(JsonNode::intValue)
                            .toArray())
                    .as("%s", tokenizer)
                    .isEqualTo(tokenizer.encode(TEXT));
            assertThat(printed.get("same").booleanValue()).isTrue();
            assertThat(printed.get("size").intValue()).isEqualTo(tokenizer.vocabulary());
        }
    }
}
