package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A table of three labels is trained on until it reaches its target. The labels follow from rules, so the right answers are known. */
@Tag("whole")
class LabelsIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final List<String> KINDS = List.of("plain", "loud", "rude");
    private static final int ROWS = 3000;
    private static final String ASKED = "{\"rows\":[{\"x\":2,\"y\":-4,\"kind\":\"rude\"}]}";

    @TempDir
    private Path folder;

    private Path table;

    /** Toxic is what is loud and long, or rude; a threat is far to the right; the last label is the sign of a sum. */
    @BeforeEach
    void writeTable() throws IOException {
        Random random = new Random(7);
        List<String> lines = new ArrayList<>(List.of("id,x,y,kind,toxic,threat,insult"));
        for (int i = 1; i <= ROWS; i++) {
            double x = random.nextGaussian();
            double y = random.nextGaussian();
            String kind = KINDS.get(random.nextInt(KINDS.size()));
            boolean isToxic = kind.equals("rude") || (kind.equals("loud") && y > 0);
            lines.add(String.format(
                    Locale.ROOT,
                    "%d,%.3f,%.3f,%s,%d,%s,%s",
                    i,
                    x,
                    y,
                    kind,
                    isToxic ? 1 : 0,
                    x > 1 ? "yes" : "no",
                    x + y > 0 ? "True" : "False"));
        }
        table = Files.write(folder.resolve("comments.csv"), lines);
    }

    private FleetgradProcess train(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("train", "--data", table.toString(), "--drop", "id"));
        arguments.addAll(List.of("--target", "toxic", "--target", "threat", "--target", "insult"));
        arguments.addAll(List.of("--optimizer", "adam", "--learning-rate", "0.003", "--batch-size", "32"));
        arguments.addAll(List.of(more));
        return FleetgradProcess.start(folder, arguments.toArray(String[]::new));
    }

    @Test
    void shouldReachItsTargetAndReportEachLabel() throws Exception {
        JsonNode result;
        try (FleetgradProcess train =
                train("--out", "run", "--mode", "sync", "--epochs", "60", "--target-micro-f1", "0.95", "--json")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            result = train.lastLineAsJson();
        }

        assertThat(result.path("labels").path("microF1").asDouble()).isBetween(0.95, 1.0);
        assertThat(result.path("targetMicroF1").asDouble()).isEqualTo(0.95);
        assertThat(result.path("reachedTarget").asBoolean()).isTrue();
        assertThat(result.has("accuracy")).isFalse();
        JsonNode details = JsonMapper.shared()
                .readTree(Files.readString(folder.resolve("run/report.json")))
                .path("evaluation")
                .path("details")
                .path("labels")
                .path("labels");
        assertThat(details.valueStream()
                        .map(label -> label.path("name").asString())
                        .toList())
                .containsExactly("toxic", "threat", "insult");
        assertThat(details.get(1).path("figures").path("auc").asDouble()).isGreaterThan(0.9);
        assertThat(Files.readString(folder.resolve("run/report.html")))
                .contains("micro F1", "ROC curve of toxic", "ROC curve of threat", "ROC curve of insult");
    }

    @Test
    void shouldAnswerEachLabelByItsName() throws Exception {
        try (FleetgradProcess train = train("--out", "asked", "--epochs", "1000000")) {
            await().atMost(TIMEOUT).ignoreExceptions().untilAsserted(() -> {
                JsonNode labels =
                        train.ask("/predict", ASKED).path("predictions").get(0).path("labels");
                assertThat(labels.propertyNames()).containsExactly("toxic", "threat", "insult");
                assertThat(labels.path("toxic").path("yes").asBoolean()).isTrue();
                assertThat(labels.path("threat").path("yes").asBoolean()).isTrue();
                assertThat(labels.path("insult").path("probability").asDouble()).isLessThan(0.2);
                assertThat(labels.path("insult").path("yes").asBoolean()).isFalse();
            });
            // The first evaluation may end after the first answer that is right.
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(train.stderr()).contains("a label, no or yes", "micro F1 "));
        }
    }
}
