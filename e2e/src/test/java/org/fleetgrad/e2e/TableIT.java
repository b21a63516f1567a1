package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A table is trained on, and asked by the names of its columns. Prices follow from a formula, so the right answer is known. */
@Tag("whole")
class TableIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final List<String> CUTS = List.of("fair", "good", "ideal");
    private static final int ROWS = 4000;

    /** The exported file in PyTorch; rows are encoded by hand from the schema that the file states. */
    private static final String IN_PYTORCH = """
            import json, sys, torch
            from safetensors import safe_open

            with safe_open(sys.argv[1], "pt") as file:
                table = json.loads(file.metadata()["table"])
                tensors = {name: file.get_tensor(name) for name in file.keys()}
            values = []
            for row in json.loads(sys.argv[2]):
                plain = []
                for column in table["columns"]:
                    if column["kind"] == "number":
                        plain.append((row[column["name"]] - column["mean"]) / column["std"])
                    else:
                        plain += [float(row[column["name"]] == value) for value in column["values"]]
                values.append(plain)
            x = torch.tensor(values, dtype=torch.float64)
            for i in (1, 2):
                x = torch.relu(torch.nn.functional.linear(x, tensors[f"fc{i}.weight"].double(), tensors[f"fc{i}.bias"].double()))
            x = torch.nn.functional.linear(x, tensors["fc3.weight"].double(), tensors["fc3.bias"].double())
            print(json.dumps((table["target"]["mean"] + table["target"]["std"] * x[:, 0]).tolist()))
            """;

    @TempDir
    private Path folder;

    private Path table;

    @BeforeEach
    void writeTable() throws IOException {
        Random random = new Random(7);
        List<String> lines = new ArrayList<>(List.of("id,carat,cut,depth,price"));
        for (int i = 1; i <= ROWS; i++) {
            double carat = 0.2 + 2 * random.nextDouble();
            String cut = CUTS.get(random.nextInt(CUTS.size()));
            double depth = 60 + random.nextGaussian();
            lines.add(String.format(Locale.ROOT, "%d,%.3f,%s,%.2f,%.2f", i, carat, cut, depth, price(carat, cut)));
        }
        table = Files.write(folder.resolve("stones.csv"), lines);
    }

    private static double price(double carat, String cut) {
        return 1000 * carat * carat + 500 * CUTS.indexOf(cut);
    }

    private FleetgradProcess train(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("train", "--data", table.toString(), "--target", "price"));
        arguments.addAll(List.of("--optimizer", "adam", "--learning-rate", "0.003", "--batch-size", "64"));
        arguments.addAll(List.of(more));
        return FleetgradProcess.start(folder, arguments.toArray(String[]::new));
    }

    @Test
    void shouldBeAskedByColumnWhileItLearns() throws Exception {
        try (FleetgradProcess train = train("--out", "asked", "--epochs", "1000000")) {
            await().atMost(TIMEOUT).ignoreExceptions().untilAsserted(() -> {
                JsonNode answer = train.ask("/predict", "{\"rows\":[{\"carat\":1,\"cut\":\"ideal\",\"depth\":60}]}");
                assertThat(answer.path("predictions").get(0).path("target").asString())
                        .isEqualTo("price");
                assertThat(answer.path("predictions").get(0).path("value").asDouble())
                        .isCloseTo(price(1, "ideal"), within(150.0));
            });
            assertThat(train.ask("/predict", "{\"row\":{\"karat\":1}}")
                            .path("detail")
                            .asString())
                    .isEqualTo("row 0 cannot be read: there is no column 'karat'; the 3 columns are carat, cut, depth");
            // The first evaluation may end after the first answer that is right.
            await().atMost(TIMEOUT)
                    .untilAsserted(() ->
                            assertThat(train.stderr()).contains("the target, a number", "counts the rows", "R2 "));
        }
    }

    /** The file says what the columns mean, too. */
    @Test
    void shouldPredictWhatPyTorchPredictsWithTheFile() throws Exception {
        Python.require();
        JsonNode result;
        try (FleetgradProcess train = train("--out", "run", "--mode", "sync", "--epochs", "30", "--json")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            result = train.lastLineAsJson();
        }
        assertThat(result.path("r2").asDouble()).isBetween(0.97, 1.0);
        assertThat(result.has("accuracy")).isFalse();
        assertThat(result.path("rmse").asDouble())
                .isGreaterThanOrEqualTo(result.path("mae").asDouble());
        JsonNode numbers = JsonMapper.shared()
                .readTree(Files.readString(folder.resolve("run/report.json")))
                .path("evaluation")
                .path("details")
                .path("numbers");
        assertThat(numbers.path("target").asString()).isEqualTo("price");
        assertThat(numbers.path("truth").size()).isEqualTo(400);
        assertThat(numbers.path("predicted").size()).isEqualTo(400);
        String rows = "[{\"carat\":1,\"cut\":\"ideal\",\"depth\":60},{\"carat\":0.4,\"cut\":\"fair\",\"depth\":61}]";

        JsonNode theirs = JsonMapper.shared()
                .readTree(Python.run(
                        IN_PYTORCH, folder.resolve("run/model.safetensors").toString(), rows));

        assertThat(theirs.get(0).asDouble()).isCloseTo(price(1, "ideal"), within(200.0));
        JsonNode ours = served("run", rows);
        for (int i = 0; i < 2; i++) {
            assertThat(ours.get(i).path("value").asDouble())
                    .isCloseTo(
                            theirs.get(i).asDouble(),
                            within(1e-5 * theirs.get(i).asDouble()));
        }
    }

    /** Asks the file in a run that begins from it and hardly moves. */
    private JsonNode served(String run, String rows) throws Exception {
        try (FleetgradProcess train = train(
                "--out",
                "again",
                "--from",
                folder.resolve(run).resolve("model.safetensors").toString(),
                "--learning-rate",
                "1e-9",
                "--keep")) {
            JsonNode[] answer = new JsonNode[1];
            await().atMost(TIMEOUT).ignoreExceptions().until(() -> {
                answer[0] = train.ask("/predict", "{\"rows\":" + rows + "}").path("predictions");
                return answer[0].size() == 2;
            });
            return answer[0];
        }
    }
}
