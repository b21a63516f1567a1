package org.fleetgrad.runs.watch;

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

/** The state of the evaluations, as the inference API reports it. */
final class EvaluatorState {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final URI status;
    private final Optional<ServiceToken> token;
    private final HttpClient http = HttpClient.newHttpClient();
    private final JsonMapper json = JsonMapper.builder().build();

    /** Takes the address of the inference API, and its token if it has keys. */
    EvaluatorState(URI inference, Optional<ServiceToken> token) {
        this.token = token;
        this.status = inference.resolve("/status");
    }

    /** Explains why the newest version will not be evaluated; empty while it may just be slow. */
    Optional<String> obstacle() throws InterruptedException {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(status).timeout(TIMEOUT);
            if (token.isPresent()) {
                token.get().authorization().ifPresent(value -> request.header("Authorization", value));
            }
            HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            JsonNode state = json.readTree(answer.body());
            // An obstacle to following the server is an obstacle to evaluating, too.
            return text(state, "evaluationDetail").or(() -> text(state, "detail"));
        } catch (IOException | JacksonException away) {
            return Optional.of("it does not answer: " + away.getMessage());
        }
    }

    private static Optional<String> text(JsonNode state, String member) {
        return Optional.of(state.path(member).asString("")).filter(text -> !text.isEmpty());
    }
}
