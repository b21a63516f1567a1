package org.example.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.ps.EmbeddedServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.env.Environment;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The whole application beside a parameter server in the same JVM, over HTTP. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class FollowingTest {

    private static final EmbeddedServer SERVER = EmbeddedServer.start();

    private final HttpClient http = HttpClient.newHttpClient();
    private final String address;

    FollowingTest(@Autowired Environment environment) {
        address = "http://127.0.0.1:" + environment.getProperty("local.server.port");
    }

    @DynamicPropertySource
    static void follow(DynamicPropertyRegistry settings) {
        settings.add("fleetgrad.server", SERVER::address);
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> health() throws Exception {
        return send(HttpRequest.newBuilder(URI.create(address + "/actuator/health/fleetgrad")));
    }

    @Test
    void shouldAnswerOnceTheServerHasAModel() throws Exception {
        HttpRequest.Builder image = HttpRequest.newBuilder(URI.create(address + "/digit"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Arrays.toString(new int[784])));
        assertThat(send(image).statusCode()).isEqualTo(503);
        assertThat(health().statusCode()).isEqualTo(503);

        NetworkDefinition lenet = Networks.named("lenet5", List.of(1, 28, 28), 10);
        new PsClient(SERVER.address(), ClientOptions.DEFAULT)
                .putInitial(TensorSet.ofFloats(
                        lenet.spec().layout(),
                        lenet.initialParameters(1),
                        lenet.spec().metadata()));

        await().atMost(Duration.ofSeconds(60)).until(() -> health().statusCode() == 200);
        assertThat(health().body()).contains("\"version\":0");
        assertThat(send(image).body()).contains("\"version\":0");
        assertThat(send(HttpRequest.newBuilder(URI.create(address + "/actuator/metrics/fleetgrad.predictions")))
                        .body())
                .contains("\"value\":1");
    }
}
