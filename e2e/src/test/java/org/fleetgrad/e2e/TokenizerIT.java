package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A text of the tokens of a {@code tokenizer.json} is trained, continued while it trains, and opened by transformers. */
@Order(14)
@Tag("whole")
class TokenizerIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final String TEXT = "how much wood would a woodchuck chuck?\n";

    private static final String TRAIN = """
            import sys
            from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
            bpe = Tokenizer(models.BPE())
            bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
            bpe.decoder = decoders.ByteLevel()
            bpe.train_from_iterator([sys.argv[1]], trainers.BpeTrainer(
                vocab_size=280, show_progress=False, special_tokens=["<|endoftext|>"],
                initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
            bpe.save(sys.argv[2])
            """;

    private static final String CONTINUE = """
            tokenizer = transformers.AutoTokenizer.from_pretrained(sys.argv[1])
            network = transformers.AutoModelForCausalLM.from_pretrained(sys.argv[1]).eval()
            tokens = tokenizer("how much wood", return_tensors="pt")
            text = tokenizer.decode(network.generate(**tokens, max_new_tokens=8, do_sample=False)[0])
            print(json.dumps([text, tokenizer.eos_token, len(tokenizer)]))
            """;

    @TempDir
    private Path folder;

    @Test
    void shouldTrainOnTheTokensOfAFile() throws Exception {
        Python.requireTransformers();
        Path tokenizer = folder.resolve("wood.json");
        String unused = Python.run(TRAIN, TEXT, tokenizer.toString());
        Path text = Files.writeString(folder.resolve("wood.txt"), TEXT.repeat(200));
        try (FleetgradProcess train = start(text, tokenizer, "asked", "--epochs", "1000000")) {
            await().atMost(TIMEOUT).ignoreExceptions().until(() -> {
                String answer = completion(train, "how much wood");
                return answer.length() > 4 && TEXT.repeat(2).contains("how much wood" + answer);
            });
        }
        try (FleetgradProcess train = start(text, tokenizer, "run", "--epochs", "40", "--target-loss", "0.2")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
        }

        JsonNode printed = JsonMapper.shared()
                .readTree(Python.runWithTransformers(
                        "import json, sys\n" + CONTINUE, folder.resolve("run").toString()));
        assertThat(TEXT.repeat(3)).contains(printed.get(0).asString());
        assertThat(printed.get(1).asString()).isEqualTo("<|endoftext|>");
        assertThat(Files.readAllBytes(folder.resolve("run/tokenizer.json"))).isEqualTo(Files.readAllBytes(tokenizer));
    }

    private FleetgradProcess start(Path text, Path tokenizer, String out, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("train", "--out", out, "--data", text.toString()));
        arguments.addAll(List.of("--tokenizer", tokenizer.toString(), "--context", "16"));
        arguments.addAll(List.of("--network", "gpt2?layers=1&heads=2&width=32&dropout=0"));
        arguments.addAll(List.of("--workers", "1", "--batch-size", "8"));
        arguments.addAll(List.of("--optimizer", "adamw", "--learning-rate", "0.01"));
        arguments.addAll(List.of(more));
        return FleetgradProcess.start(folder, arguments.toArray(String[]::new));
    }

    private static String completion(FleetgradProcess train, String prompt) throws Exception {
        return train.ask("/v1/completions", "{\"prompt\":\"%s\",\"max_tokens\":6,\"temperature\":0}".formatted(prompt))
                .path("choices")
                .path(0)
                .path("text")
                .asString();
    }
}
