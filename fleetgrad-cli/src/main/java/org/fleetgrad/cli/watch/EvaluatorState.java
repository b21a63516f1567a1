package org.fleetgrad.cli.watch;

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

/** What the inference API says of its evaluations. */
final class EvaluatorState {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final URI status;
    private final Optional<ServiceToken> token;
    private final HttpClient http = HttpClient.newHttpClient();
    private final JsonMapper json = JsonMapper.builder().build();

    /** Takes the address of the inference API, and what it is shown if it has keys. */
    EvaluatorState(URI inference, Optional<ServiceToken> token) {
        this.token = token;
        this.status = inference.resolve("/status");
    }

    /** Says why the newest version will not be evaluated; empty while it may only take long. */
    Optional<String> obstacle() throws InterruptedException {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(status).timeout(TIMEOUT);
            if (token.isPresent()) {
                token.get().authorization().ifPresent(value -> request.header("Authorization", value));
            }
            HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            JsonNode state = json.readTree(answer.body());
            // What keeps it from following the server keeps it from evaluating too.
            return text(state, "evaluationDetail").or(() -> text(state, "detail"));
        } catch (IOException | JacksonException away) {
            return Optional.of("it does not answer: " + away.getMessage());
        }
    }

    private static Optional<String> text(JsonNode state, String member) {
        return Optional.of(state.path(member).asString("")).filter(text -> !text.isEmpty());
    }
}
