package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

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

/** Texts of a CSV are classified by a BERT: while it trains, by transformers afterwards, and by a run that begins with it. */
@Order(14)
@Tag("whole")
class BertIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final List<String> ASKED = List.of("a good film, a fine one", "a bad film", "fine, good");

    private static final String WRITE = """
            import csv, random, sys
            from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
            random.seed(5)
            words = {"good": ["good", "fine", "lovely"], "bad": ["bad", "dull", "awful"]}
            texts = []
            for i in range(300):
                label = random.choice(["good", "bad"])
                rest = random.choices(["a", "film", "the", "one", ","], k=random.randint(1, 6))
                rest.insert(random.randint(0, len(rest)), random.choice(words[label]))
                texts.append((" ".join(rest), label))
            with open(sys.argv[1], "w", newline="") as file:
                csv.writer(file).writerows([("text", "label"), *texts])
            wordpiece = Tokenizer(models.WordPiece(unk_token="[UNK]"))
            wordpiece.normalizer = normalizers.BertNormalizer(lowercase=True)
            wordpiece.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
            wordpiece.train_from_iterator([text for text, _ in texts], trainers.WordPieceTrainer(
                vocab_size=80, show_progress=False, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]))
            wordpiece.post_processor = processors.TemplateProcessing(
                single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
            wordpiece.save(sys.argv[2])
            """;

    /** As docs/huggingface.md has it. */
    private static final String CLASSIFY = """
            import json, sys
            from transformers import AutoModelForSequenceClassification, AutoTokenizer

            network, info = AutoModelForSequenceClassification.from_pretrained(sys.argv[1], output_loading_info=True)
            tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
            texts = tokenizer(json.loads(sys.argv[2]), padding=True, truncation=True, max_length=8, return_tensors="pt")
            probabilities = network.eval()(**texts).logits.softmax(1)
            print(json.dumps({
                "keys": sum(len(value) for value in info.values()),
                "labels": [network.config.id2label[int(i)] for i in probabilities.argmax(1)],
                "probabilities": probabilities.tolist()}))
            """;

    @TempDir
    private Path folder;

    @Test
    void shouldClassifyTexts() throws Exception {
        Python.requireTransformers();
        String written = Python.run(
                WRITE,
                folder.resolve("reviews.csv").toString(),
                folder.resolve("tokenizer.json").toString());
        assertThat(written).isEmpty();

        JsonNode live;
        try (FleetgradProcess train = start(
                "asked",
                "--tokenizer",
                "tokenizer.json",
                "--context",
                "8",
                "--epochs",
                "1000000",
                "--network",
                network())) {
            JsonNode[] answer = new JsonNode[1];
            await().atMost(TIMEOUT).ignoreExceptions().until(() -> {
                answer[0] = predict(train);
                return labels(answer[0]).equals(List.of("good", "bad", "good"));
            });
            live = answer[0];
        }
        assertThat(live.path("predictions").get(0).path("probabilities")).hasSize(2);

        JsonNode result;
        try (FleetgradProcess train = start(
                "run",
                "--tokenizer",
                "tokenizer.json",
                "--context",
                "8",
                "--epochs",
                "40",
                "--json",
                "--network",
                network())) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            assertThat(train.stderr()).contains("texts have more than 8 tokens, the longest");
            result = train.lastLineAsJson();
        }
        assertThat(result.path("accuracy").asDouble()).isGreaterThan(0.9);

        JsonNode theirs = JsonMapper.shared()
                .readTree(Python.runWithTransformers(
                        CLASSIFY,
                        folder.resolve("run").toString(),
                        JsonMapper.shared().writeValueAsString(ASKED)));
        // No missing, unexpected or mismatched key.
        assertThat(theirs.path("keys").asInt()).isZero();
        assertThat(theirs.path("labels").valueStream().map(JsonNode::asString)).containsExactly("good", "bad", "good");

        // A run that begins with the folder, and learns nothing, answers as transformers does.
        try (FleetgradProcess train =
                start("again", "--from", "run", "--context", "8", "--learning-rate", "1e-30", "--epochs", "1000000")) {
            JsonNode[] answer = new JsonNode[1];
            await().atMost(TIMEOUT).ignoreExceptions().until(() -> {
                answer[0] = predict(train);
                return labels(answer[0]).size() == 3;
            });
            for (int text = 0; text < 3; text++) {
                for (int label = 0; label < 2; label++) {
                    assertThat(answer[0]
                                    .path("predictions")
                                    .get(text)
                                    .path("probabilities")
                                    .get(label)
                                    .asDouble())
                            .isCloseTo(
                                    theirs.path("probabilities")
                                            .get(text)
                                            .get(label)
                                            .asDouble(),
                                    within(1e-4));
                }
            }
        }
    }

    private static String network() {
        return "bert?layers=1&heads=2&width=32&dropout=0";
    }

    private FleetgradProcess start(String out, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("train", "--out", out, "--data", "reviews.csv"));
        arguments.addAll(List.of("--workers", "1", "--batch-size", "16", "--optimizer", "adamw"));
        if (!List.of(more).contains("--learning-rate")) {
            arguments.addAll(List.of("--learning-rate", "0.003"));
        }
        arguments.addAll(List.of(more));
        return FleetgradProcess.start(folder, arguments.toArray(String[]::new));
    }

    private static List<String> labels(JsonNode answer) {
        return answer.path("predictions")
                .valueStream()
                .map(prediction -> prediction.path("label").asString())
                .toList();
    }

    private static JsonNode predict(FleetgradProcess train) throws Exception {
        return train.ask(
                "/predict", "{\"texts\":%s}".formatted(JsonMapper.shared().writeValueAsString(ASKED)));
    }
}
