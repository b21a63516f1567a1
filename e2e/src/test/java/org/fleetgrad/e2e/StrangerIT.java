package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.FreePorts;
import org.fleetgrad.testing.Python;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lets schemathesis, which knows nothing of the services but openapi.yaml, ask both of them everything that the
 * contract allows and forbids. An answer that the contract does not have fails the test, as does a right request that
 * is refused, and a wrong one that is taken.
 */
@Order(9)
@Tag("whole")
class StrangerIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Path ROOT = RepositoryRoot.path();
    private static final Path SCRIPTS = ROOT.resolve("e2e/src/test/python/stranger");
    private static final NetworkDefinition LENET = Networks.usual("lenet5");
    private static final List<String> ROLES = List.of("worker", "reader", "evaluator", "operator");

    private final URI server = URI.create("http://127.0.0.1:" + FreePorts.next());
    private final URI answers = URI.create("http://127.0.0.1:" + FreePorts.next());
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
    void shouldAnswerAsDocumentedWithoutKeys() throws Exception {
        Python.requireSchemathesis();
        start(Map.of(), Map.of());
        begin(new PsClient(server, ClientOptions.DEFAULT));

        askBoth(List.of(), List.of());
    }

    @Test
    void shouldAnswerAsDocumentedWithKeysAndToThoseWithoutThem() throws Exception {
        Python.requireSchemathesis();
        Credentials operator = new Credentials("operator", secret("operator"));
        Map<String, String> own = new HashMap<>(keys("INFERENCE"));
        own.put("INFERENCE_ACCESSKEY", "evaluator");
        own.put("INFERENCE_SECRETKEY", secret("evaluator"));
        start(keys("PS"), own);
        begin(new PsClient(server, ClientOptions.DEFAULT).withCredentials(operator));

        askBoth(header(server, operator), header(answers, operator));
        // Who may ask nothing is not told which methods there are: 401 comes before 405.
        List<String> stranger = List.of("--exclude-checks=unsupported_method");
        askBoth(stranger, stranger);
    }

    /** Starts both services. */
    private void start(Map<String, String> ofServer, Map<String, String> ofAnswers) throws IOException {
        Map<String, String> settings = new HashMap<>(ofServer);
        settings.put("SERVER_PORT", Integer.toString(server.getPort()));
        programs.add(JarProcess.start("ps-service", folder.resolve("ps-service.log"), settings));
        Map<String, String> inference = new HashMap<>(ofAnswers);
        inference.put("SERVER_PORT", Integer.toString(answers.getPort()));
        inference.put("INFERENCE_SERVER", server.toString());
        programs.add(JarProcess.start("inference-api", folder.resolve("inference-api.log"), inference));
    }

    /** Puts a model, and writes the bodies that fit it: a stranger who can only guess would never get to the arithmetic. */
    private void begin(PsClient client) throws IOException {
        await().atMost(TIMEOUT).ignoreExceptions().until(() -> client.version().version() == 0);
        TensorSet initial = TensorSet.ofFloats(
                LENET.spec().layout(), LENET.initialParameters(1), LENET.spec().metadata());
        client.putInitial(initial);
        // Without a model, readiness is a 503, which schemathesis takes for a failure of the server.
        HttpRequest ready = HttpRequest.newBuilder(answers.resolve("/v2/health/ready"))
                .timeout(TIMEOUT)
                .build();
        HttpClient http = HttpClient.newHttpClient();
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .until(() ->
                        http.send(ready, HttpResponse.BodyHandlers.discarding()).statusCode() == 200);
        VersionReply newest = client.version();
        write("initial", initial);
        write(
                "gradient",
                new TensorSet(
                        initial.layout(),
                        initial.data(),
                        new GradientMetadata("worker-1", 1, newest.generation(), newest.version(), 32, 1.0).toMap()));
    }

    private void write(String name, TensorSet tensors) throws IOException {
        ByteBuffer file = Safetensors.encode(tensors);
        byte[] bytes = new byte[file.remaining()];
        file.get(bytes);
        Files.write(folder.resolve(name + ".safetensors"), bytes);
    }

    /** Asks both at the same time: schemathesis mostly waits. */
    private void askBoth(List<String> ofServer, List<String> ofAnswers) throws IOException {
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> ask(server, "ps-service", ofServer));
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> ask(answers, "inference-api", ofAnswers));
        try {
            CompletableFuture.allOf(first, second).join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof AssertionError answer) {
                throw answer;
            }
            throw failed;
        }
        for (JarProcess program : programs) {
            assertThat(program.isAlive()).isTrue();
        }
        assertThat(Files.readString(folder.resolve("ps-service.log"))).doesNotContain("a request failed");
        assertThat(Files.readString(folder.resolve("inference-api.log"))).doesNotContain("a request failed");
    }

    private void ask(URI service, String tag, List<String> more) {
        List<String> arguments = new ArrayList<>(List.of(
                SCRIPTS.toString(),
                ROOT.resolve("openapi.yaml").toString(),
                folder.toString(),
                "--url=" + service,
                "--include-tag=" + tag));
        arguments.addAll(more);
        String printed = Python.runWithSchemathesis(SCRIPTS.resolve("ask.py"), arguments.toArray(String[]::new));

        assertThat(printed).containsPattern("[1-9][0-9]+ generated").contains("No issues found");
    }

    private static List<String> header(URI service, Credentials credentials) throws IOException {
        String authorization = new ServiceToken(service, credentials, ClientOptions.DEFAULT)
                .authorization()
                .orElseThrow();
        return List.of("--header=Authorization:" + authorization);
    }

    private static Map<String, String> keys(String service) {
        Map<String, String> settings = new HashMap<>();
        for (String role : ROLES) {
            String name = "%s_SECURITY_KEYS_%s_".formatted(service, role.toUpperCase(Locale.ROOT));
            settings.put(name + "ACCESSKEY", role);
            settings.put(name + "SECRETKEY", secret(role));
        }
        return settings;
    }

    private static String secret(String role) {
        return "secret-of-" + role;
    }
}
