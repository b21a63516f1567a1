package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code fleetgrad load} against the real parameter server and inference API. */
@Tag("whole")
class LoadIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final List<JarProcess> programs = new ArrayList<>();
    private final int inferencePort = FreePorts.next();
    private final int grpcPort = FreePorts.next();

    @TempDir
    private Path folder;

    @BeforeEach
    void startServers() throws IOException {
        URI server = URI.create("http://127.0.0.1:" + FreePorts.next());
        programs.add(JarProcess.start(
                "ps-service",
                folder.resolve("ps-service.log"),
                Map.of("SERVER_PORT", Integer.toString(server.getPort()))));
        programs.add(JarProcess.start(
                "inference-api",
                folder.resolve("inference-api.log"),
                Map.of(
                        "SERVER_PORT",
                        Integer.toString(inferencePort),
                        "INFERENCE_GRPCPORT",
                        Integer.toString(grpcPort),
                        "INFERENCE_SERVER",
                        server.toString())));
        NetworkDefinition lenet = Networks.usual("lenet5");
        new PsClient(server, ClientOptions.DEFAULT.withRetryFor(TIMEOUT))
                .putInitial(TensorSet.ofFloats(
                        lenet.spec().layout(),
                        lenet.initialParameters(1),
                        lenet.spec().metadata()));
        HttpRequest status = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + inferencePort + "/status"))
                .build();
        HttpClient http = HttpClient.newHttpClient();
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .until(() -> http.send(status, HttpResponse.BodyHandlers.ofString())
                        .body()
                        .contains("\"serving\""));
    }

    @AfterEach
    void endPrograms() throws InterruptedException {
        for (JarProcess program : programs) {
            program.kill();
        }
    }

    @Test
    void shouldMeasureTheLiveModelAndEndWithOneObject() throws Exception {
        try (FleetgradProcess load = load("json", "--clients", "4", "--requests", "200", "--rate", "200")) {
            assertThat(load.await(TIMEOUT)).as(load.stderr()).isZero();

            JsonNode result = load.lastLineAsJson();
            assertThat(result.path("requests").asLong()).isEqualTo(200);
            assertThat(result.path("failed").asLong()).as(result.toString()).isZero();
            assertThat(result.path("versionsSeen").asInt()).isEqualTo(1);
            // Untrained: it is right about as often as chance.
            assertThat(result.path("accuracy").asDouble()).isBetween(0.0, 0.5);
            assertThat(result.path("p50Ms").asDouble())
                    .isPositive()
                    .isLessThanOrEqualTo(result.path("p90Ms").asDouble());
            assertThat(result.path("p99Ms").asDouble())
                    .isLessThanOrEqualTo(result.path("maxMs").asDouble() * 1.001);
            // The last of 200 requests is due after 995 ms.
            assertThat(result.path("perSecond").asDouble()).isBetween(1.0, 202.0);
        }
    }

    @Test
    void shouldAskTheSameInEveryFormatAndInBatches() throws Exception {
        double json = accuracy("json", "--format", "json", "--requests", "400", "--feedback");
        double png = accuracy("png", "--format", "png", "--requests", "400");
        double batches = accuracy("batch", "--batch", "8", "--requests", "50", "--feedback");
        double tensors = accuracy("tensors", "--format", "safetensors", "--batch", "8", "--requests", "50");
        double rest = accuracy("v2", "--protocol", "v2", "--batch", "8", "--requests", "50");
        double grpc = accuracy(
                "grpc",
                "--protocol",
                "grpc",
                "--url",
                "http://127.0.0.1:" + grpcPort,
                "--batch",
                "8",
                "--requests",
                "50");

        // The labels as feedback: the service counts what the load does, of both runs that send them.
        HttpRequest live = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + inferencePort + "/feedback"))
                .build();
        JsonNode feedback = JsonMapper.shared()
                .readTree(HttpClient.newHttpClient()
                        .send(live, HttpResponse.BodyHandlers.ofString())
                        .body());
        assertThat(feedback.path("counted").asLong()).isEqualTo(800);
        assertThat(feedback.at("/versions/0/live/samples").asLong()).isEqualTo(800);
        assertThat(feedback.at("/versions/0/live/accuracy").asDouble()).isEqualTo(json);

        // The same 400 samples: the model sees the same pixels, however they travel.
        assertThat(png).isEqualTo(json);
        assertThat(batches).isEqualTo(json);
        assertThat(tensors).isEqualTo(json);
        assertThat(rest).isEqualTo(json);
        assertThat(grpc).isEqualTo(json);
    }

    private double accuracy(String name, String... arguments) throws Exception {
        try (FleetgradProcess load = load(name, arguments)) {
            assertThat(load.await(TIMEOUT)).as(load.stderr()).isZero();
            JsonNode result = load.lastLineAsJson();
            assertThat(result.path("failed").asLong()).as(result.toString()).isZero();
            return result.path("accuracy").asDouble();
        }
    }

    @Test
    void shouldWriteWhatItHasWhenItIsInterrupted() throws Exception {
        Path out = folder.resolve("out");
        try (FleetgradProcess load =
                load("interrupted", "--requests", "1000000", "--rate", "50", "--out", out.toString())) {
            await().atMost(TIMEOUT).until(() -> load.stderr().contains(" requests  "));
            load.terminate();

            // 128 + SIGTERM.
            assertThat(load.await(TIMEOUT)).isEqualTo(143);
            JsonNode result = load.lastLineAsJson();
            assertThat(result.path("requests").asLong()).isBetween(1L, 100_000L);
            assertThat(result.path("failed").asLong()).as(result.toString()).isZero();
            assertThat(out.resolve("load.svg")).isNotEmptyFile();
            assertThat(Files.readAllLines(out.resolve("requests.csv")))
                    .hasSize(Math.toIntExact(result.path("requests").asLong()) + 1);
        }
    }

    private FleetgradProcess load(String name, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("load", "--json"));
        if (!List.of(arguments).contains("--url")) {
            all.addAll(List.of("--url", "http://127.0.0.1:" + inferencePort));
        }
        all.addAll(List.of(arguments));
        return FleetgradProcess.start(Files.createDirectory(folder.resolve("cli-" + name)), all.toArray(String[]::new));
    }
}
