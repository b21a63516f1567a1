package org.fleetgrad.mlflow;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.files.transfer.BoundedExchange;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends a request to MLflow once, with the credentials, and tells replies from failures that may be gone later. */
final class MlflowWire {

    private static final int LONGEST_RESPONSE = 1 << 20;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int SERVER_ERROR = 500;

    private final MlflowServer server;
    private final JsonMapper json = JsonMapper.builder().build();
    private final BoundedExchange http = new BoundedExchange(Optional.empty(), LONGEST_RESPONSE);

    MlflowWire(MlflowServer server) {
        this.server = server;
    }

    MlflowReply get(String route, Duration timeout) throws IOException, InterruptedException {
        return exchange("GET", server.at(route), Optional.empty(), "", timeout);
    }

    MlflowReply post(String route, JsonNode body, Duration timeout) throws IOException, InterruptedException {
        BodyPublisher bytes = BodyPublishers.ofByteArray(json.writeValueAsBytes(body));
        return exchange("POST", server.at(route), Optional.of(bytes), "application/json", timeout);
    }

    MlflowReply put(String route, BodyPublisher body, String type, Duration timeout)
            throws IOException, InterruptedException {
        return exchange("PUT", server.at(route), Optional.of(body), type, timeout);
    }

    /** @throws IOException if the same request may succeed later; its message is safe to show */
    private MlflowReply exchange(String method, URI uri, Optional<BodyPublisher> body, String type, Duration timeout)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .header("Accept", "application/json")
                .method(method, body.orElseGet(BodyPublishers::noBody));
        server.authorization().ifPresent(value -> request.header("Authorization", value));
        if (body.isPresent()) {
            request.header("Content-Type", type);
        }
        try {
            return reply(http.send(request.build(), timeout));
        } catch (TimeoutException late) {
            throw new IOException("no complete answer within %d ms".formatted(timeout.toMillis()), late);
        } catch (ExecutionException failed) {
            throw new IOException(BoundedExchange.reason(BoundedExchange.causeOf(failed)), failed);
        }
    }

    private MlflowReply reply(HttpResponse<byte[]> response) throws IOException {
        int status = response.statusCode();
        String text = new String(response.body(), StandardCharsets.UTF_8);
        if (status >= SERVER_ERROR || status == TOO_MANY_REQUESTS || status == REQUEST_TIMEOUT) {
            throw new IOException("it answered %d: %s".formatted(status, shown(text)));
        }
        Optional<JsonNode> body = parsed(text);
        if (status / 100 == 2) {
            return body.isPresent() || text.isBlank()
                    ? new MlflowReply.Done(body.orElseGet(json::createObjectNode))
                    : new MlflowReply.Refused("", "%d without JSON: is it MLflow? %s".formatted(status, shown(text)));
        }
        String code = body.map(answer -> answer.path("error_code").asString("")).orElse("");
        String message = body.map(answer -> answer.path("message").asString("")).orElse(text);
        String place = response.headers()
                .firstValue("Location")
                .map(to -> ", to " + to)
                .orElse("");
        return new MlflowReply.Refused(
                code,
                "%d %s".formatted(status, shown(code + place + " " + message)).strip());
    }

    private Optional<JsonNode> parsed(String text) {
        try {
            JsonNode body = json.readTree(text);
            return body.isObject() ? Optional.of(body) : Optional.empty();
        } catch (JacksonException invalid) {
            return Optional.empty();
        }
    }

    private String shown(String text) {
        return Printable.text(server.hideIn(text).strip());
    }
}
