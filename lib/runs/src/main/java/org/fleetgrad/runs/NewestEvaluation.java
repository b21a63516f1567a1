package org.fleetgrad.runs;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.protocol.messages.HeldOutEvaluation;
import org.fleetgrad.runs.services.Services;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks the inference API of a run for its newest evaluation. A run needs none: why there is none is told, and fails nothing. */
final class NewestEvaluation {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** Replicas share an address, and only the first evaluates: after so many attempts each, it answered but for one run in 3,000. */
    private static final int ATTEMPTS = 8;

    private final URI inference;
    private final Optional<ServiceToken> token;
    private final int attempts;
    private final Duration timeout;
    private final Consumer<String> teller;

    private NewestEvaluation(
            URI inference, Optional<ServiceToken> token, int attempts, Duration timeout, Consumer<String> teller) {
        this.inference = inference;
        this.token = token;
        this.attempts = attempts;
        this.timeout = timeout;
        this.teller = teller;
    }

    /**
     * Returns the newest evaluation of a run with its details.
     *
     * @param teller receives a line that says why there is none
     */
    static Optional<HeldOutEvaluation> of(Services services, Consumer<String> teller) throws InterruptedException {
        int replicas = services.replicas().size();
        return of(services.inference(), services.token(), replicas, TIMEOUT, teller);
    }

    static Optional<HeldOutEvaluation> of(
            URI inference, Optional<ServiceToken> token, int replicas, Duration timeout, Consumer<String> teller)
            throws InterruptedException {
        int attempts = replicas == 1 ? 1 : replicas * ATTEMPTS;
        return new NewestEvaluation(inference, token, attempts, timeout, teller).ask();
    }

    private Optional<HeldOutEvaluation> ask() throws InterruptedException {
        long begin = System.nanoTime();
        String reason = "";
        for (int i = 0; i < attempts && System.nanoTime() - begin < timeout.toNanos(); i++) {
            try {
                // Another connection, which may be another replica's.
                InferenceClient client = new InferenceClient(inference, token, timeout);
                JsonNode evaluation = client.get("/evaluation").path("evaluation");
                if (evaluation.isObject()) {
                    return Optional.of(JsonMapper.shared().treeToValue(evaluation, HeldOutEvaluation.class));
                }
                reason = "/evaluation answered no evaluation";
            } catch (IOException unanswered) {
                reason = String.valueOf(unanswered.getMessage());
            } catch (JacksonException malformed) {
                reason = "/evaluation answered no evaluation: " + malformed.getOriginalMessage();
            }
        }
        teller.accept("the report does not show what the model gets right and wrong: " + reason);
        return Optional.empty();
    }
}
