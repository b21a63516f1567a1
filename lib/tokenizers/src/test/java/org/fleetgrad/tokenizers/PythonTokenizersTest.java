package org.fleetgrad.tokenizers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.fleetgrad.datasets.text.HuggingFaceTokenizer;
import org.fleetgrad.datasets.text.JsonTokenizer;
import org.fleetgrad.datasets.text.SampleEncoding;
import org.fleetgrad.testing.Python;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Trains tokenizers on Shakespeare in Python, and encodes him there and here. */
@Tag("whole")
class PythonTokenizersTest {

    private static final String ENCODE = """
            import json, sys
            from transformers import AutoTokenizer
            text = open(sys.argv[1], encoding="utf-8").read()
            for name in ["bpe", "wordpiece"]:
                tokenizer = AutoTokenizer.from_pretrained(sys.argv[2] + "/" + name)
                lines = [tokenizer(line)["input_ids"] for line in text.splitlines()[:2000]]
                cut = tokenizer(text.splitlines()[:2000], truncation=True, max_length=7)["input_ids"]
                whole = tokenizer(text, add_special_tokens=False)["input_ids"]
                config = [tokenizer.pad_token, tokenizer.cls_token, tokenizer.eos_token, len(tokenizer)]
                with open(sys.argv[2] + "/" + name + ".out", "w") as out:
                    json.dump({"lines": lines, "whole": whole, "cut": cut, "config": config, "decoded": tokenizer.decode(whole)}, out)
            """;

    @TempDir
    private Path folder;

    @Test
    void shouldGiveTheSameTokensAsTransformers() throws Exception {
        Python.requireTransformers();
        Path text = SharedData.require("data/tinyshakespeare/input.txt");
        String unused = Python.run(TrainedTokenizers.TRAIN, text.toString(), folder.toString(), "500");
        for (String name : new String[] {"bpe", "wordpiece"}) {
            Path into = Files.createDirectories(folder.resolve(name));
            JsonTokenizer tokenizer = JsonTokenizer.read(folder.resolve(name + ".json"));
            for (Map.Entry<String, byte[]> file :
                    HuggingFaceTokenizer.files(tokenizer).entrySet()) {
                Files.write(into.resolve(file.getKey()), file.getValue());
            }
        }
        String ignored = Python.runWithTransformers(ENCODE, text.toString(), folder.toString());

        String all = Files.readString(text);
        for (String name : new String[] {"bpe", "wordpiece"}) {
            JsonTokenizer tokenizer = JsonTokenizer.read(folder.resolve(name + ".json"));
            JsonNode printed = JsonMapper.shared().readTree(folder.resolve(name + ".out"));

            assertThat(tokenizer.encode(all)).as(name).isEqualTo(numbers(printed.get("whole")));
            assertThat(tokenizer.decode(numbers(printed.get("whole"))))
                    .isEqualTo(printed.get("decoded").asString());
            assertThat(printed.get("config").get(3).asInt()).isEqualTo(tokenizer.vocabulary());
            SampleEncoding encoding = new SampleEncoding(tokenizer, 7, SampleEncoding.paddingOf(tokenizer));
            String[] lines = all.lines().limit(2000).toArray(String[]::new);
            for (int i = 0; i < lines.length; i++) {
                assertThat(tokenizer.encodeWhole(lines[i]))
                        .as("line %d of %s", i, name)
                        .isEqualTo(numbers(printed.get("lines").get(i)));
                int[] cut = numbers(printed.get("cut").get(i));
                if (cut.length > 0) {
                    assertThat(Arrays.copyOf(encoding.encode(lines[i]).tokens(), cut.length))
                            .as("line %d of %s", i, name)
                            .isEqualTo(cut);
                }
            }
        }
        assertThat(JsonMapper.shared()
                        .readTree(folder.resolve("wordpiece.out"))
                        .get("config")
                        .get(0)
                        .asString())
                .isEqualTo("[PAD]");
    }

    private static int[] numbers(JsonNode array) {
        return array.valueStream().mapToInt(JsonNode::intValue).toArray();
    }
}
