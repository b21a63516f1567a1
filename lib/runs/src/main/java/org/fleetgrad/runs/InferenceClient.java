package org.fleetgrad.runs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.files.transfer.BoundedExchange;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks the inference API of a run. Thread-safe. */
final class InferenceClient {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** More than any answer of the service: the largest lists the categories of a table. */
    private static final int MOST_BYTES = 1 << 26;

    private final URI address;
    private final Optional<ServiceToken> token;
    private final Duration timeout;
    private final BoundedExchange exchange = new BoundedExchange(Optional.empty(), MOST_BYTES);
    private final JsonMapper json = JsonMapper.shared();

    /** Takes the service's address, and its token if it has keys. */
    InferenceClient(URI address, Optional<ServiceToken> token) {
        this(address, token, TIMEOUT);
    }

    /** @param timeout of a complete answer */
    InferenceClient(URI address, Optional<ServiceToken> token, Duration timeout) {
        this.address = address;
        this.token = token;
        this.timeout = timeout;
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
        request.uri(address.resolve(path));
        if (token.isPresent()) {
            token.get().authorization().ifPresent(value -> request.header("Authorization", value));
        }
        HttpResponse<byte[]> response = exchange(path, request.build());
        String body = new String(response.body(), StandardCharsets.UTF_8);
        if (response.statusCode() != 200) {
            throw new IOException("%s answered %d: %s".formatted(path, response.statusCode(), body));
        }
        try {
            return json.readTree(body);
        } catch (JacksonException malformed) {
            throw new IOException("%s answered no JSON: %s".formatted(path, malformed.getOriginalMessage()), malformed);
        }
    }

    private HttpResponse<byte[]> exchange(String path, HttpRequest request) throws IOException, InterruptedException {
        try {
            return exchange.send(request, timeout);
        } catch (TimeoutException late) {
            throw new IOException("%s did not answer completely in %s".formatted(path, timeout), late);
        } catch (ExecutionException failed) {
            throw new IOException("%s did not answer: %s".formatted(path, failed.getCause()), failed);
        }
    }
}
