package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.files.pem.PemTrust;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.testing.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A run over HTTPS with keys, on all addresses of the machine, with the programs and commands of the README. */
@Tag("whole")
class SecureRunIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final List<String> ROLES = List.of("worker", "reader", "evaluator");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<JarProcess> programs = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void endPrograms() throws InterruptedException {
        for (JarProcess program : programs) {
            program.kill();
        }
    }

    @Test
    void shouldTrainOverHttpsWithKeysAndRefuseWrongOnesInOneLine() throws Exception {
        Path tls = folder.resolve("tls");
        assertThat(fleetgrad("certificate", Map.of(), "certificate", "--out", tls.toString())
                        .await(TIMEOUT))
                .isZero();
        Path pem = tls.resolve("fleetgrad.pem");
        ShardSet shards = ShardSet.write(
                folder.resolve("shards"),
                "digits",
                SyntheticDigits.generate(640, 1),
                SyntheticDigits.generate(200, 2),
                1);
        URI address = URI.create("https://localhost:" + FreePorts.next());
        Map<String, String> settings = settings(tls);
        settings.put("SERVER_PORT", Integer.toString(address.getPort()));
        settings.put("SERVER_ADDRESS", "0.0.0.0");
        for (String role : ROLES) {
            settings.put("PS_SECURITY_KEYS_%s_ACCESSKEY".formatted(upper(role)), role);
            settings.put("PS_SECURITY_KEYS_%s_SECRETKEY".formatted(upper(role)), secret(role));
        }
        start("ps-service", settings);
        int workerPort = FreePorts.next();
        start(
                "worker-action",
                Map.of(
                        "WORKER_PORT", Integer.toString(workerPort),
                        "WORKER_ADDRESS", "127.0.0.1",
                        "FLEETGRAD_TRUST", pem.toString()));
        Map<String, String> inference = settings(tls);
        URI answers = URI.create("https://localhost:" + FreePorts.next());
        inference.put("SERVER_PORT", Integer.toString(answers.getPort()));
        inference.put("SERVER_ADDRESS", "0.0.0.0");
        inference.put("INFERENCE_SECURITY_KEYS_READER_ACCESSKEY", "reader");
        inference.put("INFERENCE_SECURITY_KEYS_READER_SECRETKEY", secret("reader"));
        inference.put("INFERENCE_SERVER", address.toString());
        inference.put("INFERENCE_TESTSHARD", shards.test().toString());
        inference.put("INFERENCE_ACCESSKEY", "evaluator");
        inference.put("INFERENCE_SECRETKEY", secret("evaluator"));
        inference.put("INFERENCE_TRUST", pem.toString());
        start("inference-api", inference);
        PsClient reader = new PsClient(
                        address,
                        ClientOptions.DEFAULT.withSecurity(Optional.of(PemTrust.context(pem)), Optional.empty()))
                .withCredentials(new Credentials("reader", secret("reader")));
        await().atMost(TIMEOUT).ignoreExceptions().until(() -> reader.version().version() == 0);
        URI worker = URI.create("http://127.0.0.1:" + workerPort);
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .until(() -> post(worker.resolve("/init"), "{\"value\":{}}").statusCode() == 200);

        JsonNode trained = run(worker, address, shards.train().get(0), secret("worker"));
        JsonNode refused = run(worker, address, shards.train().get(0), "wrong-secret");

        assertThat(trained.path("completed").asBoolean()).as(trained.toString()).isTrue();
        assertThat(trained.path("samples").asLong()).isEqualTo(640);
        assertThat(trained.path("pushes").asLong()).isEqualTo(20);
        assertThat(refused.path("code").asInt()).isEqualTo(401);
        assertThat(refused.path("error").asString())
                .isEqualTo("POST /registerWorker: 401 the keys are those of no role");
        assertThat(Files.readString(folder.resolve("worker-action.log")))
                .contains("the keys are those of no role")
                .doesNotContain("\tat ", "wrong-secret", secret("worker"));
        StatusReply status = reader.status();
        assertThat(status.version()).isEqualTo(20);
        assertThat(Objects.requireNonNull(status.loss())).isPositive();
        // The inference API follows and evaluates with keys of another role.
        await().atMost(TIMEOUT).until(() -> reader.accuracy().accuracy() != null);
        assertThat(Files.readString(folder.resolve("ps-service.log")))
                .doesNotContain("SECURITY IS OFF", "in the clear", "secret-of", "wrong-secret");
        assertInferenceAsksForKeys(answers, pem);
        assertStatusCommand(address, pem);
    }

    private void assertInferenceAsksForKeys(URI answers, Path pem) throws Exception {
        ClientOptions trusting =
                ClientOptions.DEFAULT.withSecurity(Optional.of(PemTrust.context(pem)), Optional.empty());
        String token = new ServiceToken(answers, new Credentials("reader", secret("reader")), trusting)
                .authorization()
                .orElseThrow();
        HttpClient client =
                HttpClient.newBuilder().sslContext(PemTrust.context(pem)).build();
        HttpRequest.Builder status = HttpRequest.newBuilder(answers.resolve("/status"));

        assertThat(client.send(status.build(), HttpResponse.BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(401);
        assertThat(client.send(status.header("Authorization", token).build(), HttpResponse.BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(200);
        assertThatThrownBy(() ->
                        new ServiceToken(answers, new Credentials("reader", "wrong-secret"), trusting).authorization())
                .hasMessage("POST /issueToken: 401 the keys are those of no role");
        assertThat(Files.readString(folder.resolve("inference-api.log")))
                .doesNotContain("SECURITY IS OFF", "in the clear", "secret-of", "wrong-secret");
    }

    private void assertStatusCommand(URI address, Path pem) throws Exception {
        Map<String, String> environment = Map.of(
                "FLEETGRAD_TRUST", pem.toString(),
                "FLEETGRAD_ACCESS_KEY", "reader",
                "FLEETGRAD_SECRET_KEY", secret("reader"));
        FleetgradProcess status = fleetgrad("status", environment, "status", "--json", "--server", address.toString());
        assertThat(status.await(TIMEOUT)).as(status.stderr()).isZero();
        assertThat(status.lastLineAsJson().path("version").asLong()).isEqualTo(20);

        FleetgradProcess untrusting = fleetgrad("untrusting", Map.of(), "status", "--server", address.toString());
        assertThat(untrusting.await(TIMEOUT)).isEqualTo(4);
        assertThat(untrusting.stderr().lines())
                .singleElement()
                .asString()
                .startsWith("fleetgrad: the certificate of %s is not trusted: ".formatted(address));

        FleetgradProcess keyless = fleetgrad(
                "keyless", Map.of("FLEETGRAD_TRUST", pem.toString()), "status", "--server", address.toString());
        assertThat(keyless.await(TIMEOUT)).isEqualTo(4);
        assertThat(keyless.stderr().lines())
                .singleElement()
                .asString()
                .startsWith("fleetgrad: GET /status: 401 the request has no token");
    }

    private FleetgradProcess fleetgrad(String name, Map<String, String> environment, String... arguments)
            throws IOException {
        return FleetgradProcess.start(Files.createDirectory(folder.resolve("cli-" + name)), environment, arguments);
    }

    private void start(String module, Map<String, String> environment) throws IOException {
        programs.add(JarProcess.start(module, folder.resolve(module + ".log"), environment));
    }

    /** The file is for shells; its lines are plain assignments. */
    private static Map<String, String> settings(Path tls) throws IOException {
        Map<String, String> settings = new HashMap<>();
        for (String line : Files.readAllLines(tls.resolve("server.env"))) {
            String[] parts = line.split("=", 2);
            settings.put(parts[0], parts[1]);
        }
        return settings;
    }

    private static String secret(String role) {
        return "secret-of-" + role;
    }

    private static String upper(String role) {
        return role.toUpperCase(Locale.ROOT);
    }

    private JsonNode run(URI worker, URI server, Path shard, String secret) throws IOException, InterruptedException {
        String body = """
                {"value":{"batch_sz_train":32,"update_intv":1,"epoch_n":1,"apihost":"%s","dataset_url":"%s",
                "access_key":"worker","secret_key":"%s"}}""".formatted(server, shard.toUri(), secret);
        return JsonMapper.builder()
                .build()
                .readTree(post(worker.resolve("/run"), body).body());
    }

    private HttpResponse<String> post(URI uri, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
