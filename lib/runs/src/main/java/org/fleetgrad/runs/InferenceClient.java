package org.fleetgrad.runs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.client.ServiceToken;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks the inference API of a run. Thread-safe. */
final class InferenceClient {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final URI address;
    private final Optional<ServiceToken> token;
    private final HttpClient http = HttpClient.newHttpClient();
    private final JsonMapper json = JsonMapper.shared();

    /** Takes the service's address, and its token if it has keys. */
    InferenceClient(URI address, Optional<ServiceToken> token) {
        this.address = address;
        this.token = token;
    }

    JsonNode get(String path) throws IOException, InterruptedException {
        return send(path, HttpRequest.newBuilder().GET());
    }

    JsonNode post(String path, Object body) throws IOException, InterruptedException {
        return send(
                path,
                HttpRequest.newBuilder()
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json.writeValueAsString(body))));
    }

    private JsonNode send(String path, HttpRequest.Builder request) throws IOException, InterruptedException {
        request.uri(address.resolve(path)).timeout(TIMEOUT);
        if (token.isPresent()) {
            token.get().authorization().ifPresent(value -> request.header("Authorization", value));
        }
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("%s answered %d: %s".formatted(path, response.statusCode(), response.body()));
        }
        try {
            return json.readTree(response.body());
        } catch (JacksonException malformed) {
            throw new IOException("%s answered no JSON: %s".formatted(path, malformed.getOriginalMessage()), malformed);
        }
    }
}
