package org.fleetgrad.cli.serving;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.fleetgrad.cli.server.ServerOptions;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.files.transfer.BoundedExchange;
import org.fleetgrad.runs.output.RunFailedException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls a running inference API. A call that fails ends the command with the service's own words. */
final class ServedModel {

    private static final int OK = 200;
    private static final int CLIENT_ERRORS = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERRORS = 500;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** More than any answer to a request that the service takes. */
    private static final int MOST_BYTES = 1 << 26;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final URI service;
    private final Optional<ServiceToken> token;
    private final BoundedExchange exchange;

    ServedModel(URI service, ClientOptions options) {
        this.service = service;
        this.token = ServiceToken.of(service, options);
        this.exchange = new BoundedExchange(options.trust(), MOST_BYTES);
    }

    JsonNode get(String path) throws RunFailedException, InterruptedException {
        return send(path, request(path).GET());
    }

    JsonNode put(String path, Object body) throws RunFailedException, InterruptedException {
        return send(
                path,
                request(path)
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))));
    }

    JsonNode post(String path, String mediaType, byte[] body) throws RunFailedException, InterruptedException {
        return send(
                path,
                request(path).header("Content-Type", mediaType).POST(HttpRequest.BodyPublishers.ofByteArray(body)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(service.toString().replaceFirst("/+$", "") + path));
    }

    private JsonNode send(String path, HttpRequest.Builder request) throws RunFailedException, InterruptedException {
        try {
            if (token.isPresent()) {
                token.get().authorization().ifPresent(value -> request.header("Authorization", value));
            }
        } catch (IOException refused) {
            throw ServerOptions.failure(refused);
        }
        HttpResponse<byte[]> response;
        try {
            response = exchange.send(request.build(), TIMEOUT);
        } catch (TimeoutException late) {
            throw RunFailedException.remote(
                    "%s did not answer completely within %d s".formatted(service, TIMEOUT.toSeconds()));
        } catch (ExecutionException failed) {
            throw RunFailedException.remote("%s cannot be reached: %s; start an inference API there, or correct --url"
                    .formatted(service, BoundedExchange.reason(BoundedExchange.causeOf(failed))));
        }
        if (response.statusCode() != OK) {
            throw refusal(path, response.statusCode(), response.body());
        }
        try {
            return JSON.readTree(response.body());
        } catch (JacksonException malformed) {
            throw RunFailedException.remote(
                    "%s answers %s with no JSON: is it an inference API?".formatted(service, path));
        }
    }

    /** Says what the service says of the request; it is the command's input that is wrong if the service says so. */
    private RunFailedException refusal(String path, int status, byte[] body) {
        String said = detail(body);
        String advice = status == UNAUTHORIZED && token.isEmpty()
                ? "; set FLEETGRAD_ACCESS_KEY and FLEETGRAD_SECRET_KEY (or FLEETGRAD_SECRET_KEY_FILE)"
                : "";
        String message = "%s: %d%s%s".formatted(path, status, said.isEmpty() ? "" : " " + said, advice);
        return status >= CLIENT_ERRORS && status < SERVER_ERRORS && status != TOO_MANY_REQUESTS
                ? RunFailedException.input(message)
                : RunFailedException.remote(message);
    }

    private static String detail(byte[] body) {
        try {
            return Printable.text(JSON.readTree(body).path("detail").asString(""));
        } catch (JacksonException noProblem) {
            // Perhaps a proxy's error page: the beginning of its text has to do.
            String text = new String(body, StandardCharsets.UTF_8);
            return Printable.text(text.substring(0, Math.min(200, text.length())));
        }
    }
}
