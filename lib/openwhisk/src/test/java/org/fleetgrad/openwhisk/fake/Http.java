package org.fleetgrad.openwhisk.fake;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Talks to the controller without the client under test. */
final class Http {

    /** An unchecked response. */
    record Reply(int status, JsonNode body, String activationId) {}

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI host;
    private final String auth;

    Http(URI host, String auth) {
        this.host = host;
        this.auth = auth;
    }

    Reply send(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(host + "/api/v1" + path))
                .method(method, BodyPublishers.ofString(body));
        if (!auth.isEmpty()) {
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(auth.getBytes(StandardCharsets.UTF_8)));
        }
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        return new Reply(
                response.statusCode(),
                JsonMapper.shared().readTree(response.body()),
                response.headers().firstValue("x-openwhisk-activation-id").orElse(""));
    }
}
