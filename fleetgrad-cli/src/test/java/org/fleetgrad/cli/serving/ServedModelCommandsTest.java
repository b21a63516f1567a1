package org.fleetgrad.cli.serving;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.cli.failure.OneLineErrors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code fleetgrad policy} and {@code fleetgrad predict}, against a service with scripted responses. */
class ServedModelCommandsTest {

    private static final String POLICY = """
            {"code":200,"policy":"best","generation":"5f2c","version":1180,"held":[
             {"generation":"5f2c","version":1180,"accuracy":0.9812,"loss":0.0601,
              "live":{"samples":10,"accuracy":0.8,"low":0.49,"high":0.94}},
             {"generation":"5f2c","version":1240}]}""";

    private static final String CLASSES = """
            {"code":200,"predictions":[{"label":"seven","class":1,"probabilities":[0.02,0.98]}],
             "version":1180,"generation":"5f2c","versionAccuracy":0.9812}""";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> requests = new ArrayList<>();
    private int status = 200;
    private String answer = POLICY;
    private HttpServer server;

    @TempDir
    private Path folder;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add("%s %s %s %s"
                    .formatted(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI(),
                            exchange.getRequestHeaders().getFirst("Content-Type"),
                            body));
            byte[] said = (exchange.getRequestURI().getPath().equals("/status")
                            ? "{\"network\":\"series?kind=lstm\"}"
                            : answer)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, said.length);
            exchange.getResponseBody().write(said);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void shouldShowThePolicyAndTheHeldVersions() {
        assertThat(run(new PolicyCommand())).isZero();

        assertThat(requests).containsExactly("GET /policy null ");
        assertThat(out.toString().lines())
                .containsExactly(
                        "policy best; version 1,180 answers",
                        "     VERSION  GENERATION  ACCURACY      LOSS  LIVE ACCURACY",
                        "->     1,180  5f2c          98.12%    0.0601  80.00% of 10 labels",
                        "       1,240  5f2c               -         -  -");
    }

    @ParameterizedTest
    @CsvSource({
        "newest, , latest",
        "latest, , latest",
        "previous, , previous",
        "best, , best",
        "gate, 0.01, gate:0.01",
        "gate:0.01, , gate:0.01",
        "pinned, 1180, pinned:1180",
        "pinned, 5f2c-1180, pinned:5f2c-1180"
    })
    void shouldChangeThePolicy(String name, String value, String policy) {
        int code = value == null ? run(new PolicyCommand(), name) : run(new PolicyCommand(), name, value);

        assertThat(code).isZero();
        assertThat(requests).containsExactly("PUT /policy application/json {\"policy\":\"%s\"}".formatted(policy));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "worst  |   | POLICY must be show, newest, previous, best, gate or pinned; it is 'worst'",
                "best   | 7 | best takes no value; given is '7'",
                "pinned |   | pinned needs a version, such as: fleetgrad policy pinned 1180",
                "gate   |   | gate needs a difference"
            })
    void shouldRefuseAPolicyThatThereIsNot(String name, String value, String message) {
        assertThat(value == null ? run(new PolicyCommand(), name) : run(new PolicyCommand(), name, value))
                .isEqualTo(2);

        assertThat(err.toString()).contains(message);
        assertThat(requests).isEmpty();
    }

    @Test
    void shouldSayWhatTheServiceSays() {
        status = 400;
        answer = "{\"type\":\"urn:fleetgrad:problem:invalid-parameter\",\"detail\":\"the version 9 is not held\"}";

        assertThat(run(new PolicyCommand(), "pinned", "9")).isEqualTo(3);

        assertThat(err.toString()).contains("/policy: 400 the version 9 is not held");
    }

    @Test
    void shouldTellAServiceThatIsBusyFromWrongInput() throws IOException {
        status = 503;
        answer = "{\"detail\":\"the queue is full\"}";

        assertThat(run(new PredictCommand(), file("a text"))).isEqualTo(4);

        assertThat(err.toString()).contains("/predict: 503 the queue is full");
    }

    @Test
    void shouldPrintTheServicesOwnResponse() {
        assertThat(run(new PolicyCommand(), "--json")).isZero();

        assertThat(out.toString())
                .startsWith("{\"code\":200,\"policy\":\"best\"")
                .contains("\"samples\":10");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a fine film             | {\"text\":\"a fine film\"}",
                "7 films                 | {\"text\":\"7 films\"}",
                "{\"carat\": 0.4}          | {\"row\":{\"carat\":0.4}}",
                "[{\"carat\": 0.4}]        | {\"rows\":[{\"carat\":0.4}]}",
                "{\"row\": {\"carat\": 1}}  | {\"row\":{\"carat\":1}}",
                "{\"text\": \"a\", \"b\": 1}  | {\"row\":{\"text\":\"a\",\"b\":1}}",
                "[\"fine\", \"dull\"]       | {\"texts\":[\"fine\",\"dull\"]}",
                "{\"image\": [0, 255]}     | {\"image\":[0,255]}",
                "[[0.5, 1.5]]            | {\"input\":[[0.5,1.5]]}"
            })
    void shouldAskInTheFormThatTheContentHas(String content, String body) throws IOException {
        answer = CLASSES;

        assertThat(run(new PredictCommand(), file(content))).isZero();

        assertThat(requests).endsWith("POST /predict application/json " + body);
        assertThat(out.toString().lines())
                .containsExactly("seven (98.0%)", "version 1,180 of generation 5f2c, held-out accuracy 98.1%");
    }

    @Test
    void shouldSendAnImageAsItIs() throws IOException {
        answer = CLASSES;
        Path png = folder.resolve("digit");
        Files.write(png, new byte[] {(byte) 0x89, 'P', 'N', 'G', 1});

        assertThat(run(new PredictCommand(), png.toString(), "--invert", "--model-version", "5f2c-7"))
                .isZero();

        assertThat(requests)
                .singleElement()
                .asString()
                .startsWith("POST /predict?version=5f2c-7&invert=true image/png ");
    }

    @Test
    void shouldShowNumbersLabelsAndUnknownCategories() throws IOException {
        answer = "{\"predictions\":[{\"target\":\"price\",\"value\":812.5},"
                + "{\"labels\":{\"dog\":{\"probability\":0.75,\"yes\":true},\"cat\":{\"probability\":0.1,\"yes\":false}}}],"
                + "\"unknown\":[{\"row\":0,\"column\":\"cut\",\"value\":\"ideal\"}],\"version\":3,\"generation\":\"g\"}";

        assertThat(run(new PredictCommand(), file("{}"))).isZero();

        assertThat(out.toString().lines())
                .containsExactly(
                        "0: price 812.5",
                        "1: dog yes (75.0%), cat no (10.0%)",
                        "row 0: the training had no 'ideal' in the column cut; it counts as missing",
                        "version 3 of generation g");
    }

    @Test
    void shouldRefuseWhatCannotBeAsked() throws IOException {
        Path binary = folder.resolve("binary");
        Files.write(binary, new byte[] {(byte) 0xC3, 0x28, 7});

        assertThat(run(new PredictCommand(), binary.toString())).isEqualTo(3);
        assertThat(run(new PredictCommand(), file(""))).isEqualTo(3);
        assertThat(run(new PredictCommand(), folder.resolve("none").toString())).isEqualTo(3);
        assertThat(run(new PolicyCommand(), "--url", "localhost:29600")).isEqualTo(3);

        assertThat(err.toString())
                .contains("predict does not know what it is")
                .contains("is empty")
                .contains("cannot be read")
                .contains("--url must be like http://host:29600; it is 'localhost:29600'");
        assertThat(requests).isEmpty();
    }

    @Test
    void shouldSayThatNobodyListens() {
        server.stop(0);

        assertThat(run(new PolicyCommand())).isEqualTo(4);

        assertThat(err.toString()).contains("cannot be reached").contains("correct --url");
    }

    private String file(String content) throws IOException {
        return Files.writeString(folder.resolve("asked"), content).toString();
    }

    private int run(Object command, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        if (!all.contains("--url")) {
            all.add("--url");
            all.add("http://127.0.0.1:" + server.getAddress().getPort());
        }
        return new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .setExecutionExceptionHandler((failure, line, parsed) -> OneLineErrors.failed(failure, line))
                .execute(all.toArray(String[]::new));
    }
}
