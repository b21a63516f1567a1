package org.fleetgrad.cli.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.imageio.ImageIO;
import org.fleetgrad.cli.failure.OneLineErrors;
import org.fleetgrad.files.units.Durations;
import org.fleetgrad.load.TinyPredictServer;
import org.fleetgrad.load.TinyPredictServer.Said;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LoadCommandTest {

    @TempDir
    private Path folder;

    private final StringWriter err = new StringWriter();

    private int execute(String... arguments) {
        return new CommandLine(new LoadCommand())
                .registerConverter(Duration.class, Durations::parse)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setErr(new PrintWriter(err))
                .setExecutionExceptionHandler((failure, command, parsed) -> OneLineErrors.failed(failure, command))
                .execute(arguments);
    }

    private static Said sayZero(String body) {
        return Said.ok("{\"predictions\":[{\"class\":0}],\"version\":3,\"generation\":\"g\"}");
    }

    @Test
    void shouldWriteRowsResultAndPicturesAndJoinThem() throws Exception {
        Path out = folder.resolve("out");
        try (TinyPredictServer server = new TinyPredictServer(LoadCommandTest::sayZero)) {
            assertThat(execute("--url", server.url(), "--ramp", "1,2", "--requests", "40", "--out", out.toString()))
                    .as(err.toString())
                    .isZero();
        }

        List<String> rows = Files.readAllLines(out.resolve("requests.csv"));
        assertThat(rows).hasSize(81);
        JsonNode result = JsonMapper.builder().build().readTree(Files.readString(out.resolve("result.json")));
        assertThat(result.path("requests").asLong()).isEqualTo(80);
        assertThat(result.path("phases").size()).isEqualTo(2);
        assertThat(result.path("course").size()).isPositive();
        // The digits' labels are evenly spread: 0 is right for some of them.
        assertThat(result.path("accuracy").asDouble()).isBetween(0.01, 0.5);
        assertThat(Files.readString(out.resolve("load.svg"))).contains("2 clients", "latency in ms");
        assertThat(ImageIO.read(out.resolve("load.png").toFile()).getWidth()).isEqualTo(1720);

        Path joined = folder.resolve("joined");
        assertThat(execute("--join", out.resolve("requests.csv").toString(), "--out", joined.toString()))
                .as(err.toString())
                .isZero();
        JsonNode again = JsonMapper.builder().build().readTree(Files.readString(joined.resolve("result.json")));
        assertThat(again.path("requests")).isEqualTo(result.path("requests"));
        assertThat(again.path("accuracy")).isEqualTo(result.path("accuracy"));
        assertThat(again.path("p50Ms").asDouble())
                .isCloseTo(result.path("p50Ms").asDouble(), within(0.01));
        assertThat(again.path("phases").size()).isEqualTo(2);
    }

    @Test
    void shouldFailIfNothingWasAnswered() throws Exception {
        try (TinyPredictServer server = new TinyPredictServer(
                body -> new Said(503, "{\"type\":\"urn:fleetgrad:problem:no-parameters\",\"status\":503}", false))) {
            assertThat(execute("--url", server.url(), "--requests", "5")).isEqualTo(4);
        }
        assertThat(err.toString())
                .contains("no request succeeded; the most frequent reason is: status 503 no-parameters");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--clients 0|--clients, and each phase of --ramp, must be from 1 to 2,000; they are [0]",
                "--clients 2 --ramp 1,2|--clients and --ramp both say how many clients there are; write one",
                "--requests 0|--requests must be 1 or more; it is 0",
                "--rate 0|--rate must be more than 0 and at most 1,000,000 requests per second; it is 0.0",
                "--batch 0|--batch must be 1 or more; it is 0",
                "--url host:29600|--url must be like http://host:29600; it is 'host:29600'",
                "--batch 2 --format png|a PNG file is one image; --batch is 2: write --format json",
                "--protocol v2 --feedback|--feedback is of --protocol predict; with v2 requests are tensors of bytes",
                "--protocol grpc --format png|--format is of --protocol predict; with grpc requests are tensors of bytes",
                "--protocol v2 --model-name a/b|--model-name must be 1 to 100 letters, digits, dots, dashes or underscores; it is 'a/b'",
                "--token-url host|--token-url must be like http://host:29600; it is 'host'",
                "--timeout 0s|--timeout must be from 1ms to 1h; it is PT0S"
            })
    void shouldSayWhatIsWrongWithTheCommandLine(String line, String message) {
        assertThat(execute(line.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void shouldSayThatTheServerIsAway() {
        assertThat(execute("--url", "http://127.0.0.1:1", "--requests", "1")).isEqualTo(4);
        assertThat(err.toString())
                .contains("http://127.0.0.1:1/predict cannot be reached")
                .contains("correct --url");
    }

    @ParameterizedTest
    @CsvSource({"v2", "grpc"})
    void shouldSayThatAModelCannotBeAsked(String protocol) {
        assertThat(execute("--protocol", protocol, "--url", "http://127.0.0.1:1", "--model-name", "digits"))
                .isEqualTo(4);
        assertThat(err.toString()).contains("the server does not say what the model 'digits' takes: ");
    }

    @Test
    void shouldSayWhichFolderHasNoDataset() {
        assertThat(execute("--data", folder.resolve("nowhere").toString())).isEqualTo(3);
        assertThat(err.toString()).contains("--data " + folder.resolve("nowhere"));
    }
}
