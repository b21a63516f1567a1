package org.fleetgrad.runs;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.HeldOutEvaluation;
import org.fleetgrad.runs.services.Services;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks the inference API of a run for the evaluation of the model that the run leaves, which is the newest one or the best one. A run
 * needs none: why there is none is told, and fails nothing.
 */
final class ModelEvaluation {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** Replicas share an address, and only the first evaluates: after so many attempts each, it answered but for one run in 3,000. */
    private static final int ATTEMPTS = 8;

    private final URI inference;
    private final Optional<ServiceToken> token;
    private final int attempts;
    private final Duration timeout;
    private final Consumer<String> teller;
    private final ParameterVersion model;

    private ModelEvaluation(
            URI inference,
            Optional<ServiceToken> token,
            ParameterVersion model,
            int attempts,
            Duration timeout,
            Consumer<String> teller) {
        this.model = model;
        this.inference = inference;
        this.token = token;
        this.attempts = attempts;
        this.timeout = timeout;
        this.teller = teller;
    }

    /**
     * Returns the evaluation of the model with its details; the newest one if the model was evaluated by an earlier process.
     *
     * @param teller receives a line that says why there is none
     */
    static Optional<HeldOutEvaluation> of(Services services, ParameterVersion model, Consumer<String> teller)
            throws InterruptedException {
        int replicas = services.replicas().size();
        return of(services.inference(), services.token(), model, replicas, TIMEOUT, teller);
    }

    static Optional<HeldOutEvaluation> of(
            URI inference,
            Optional<ServiceToken> token,
            ParameterVersion model,
            int replicas,
            Duration timeout,
            Consumer<String> teller)
            throws InterruptedException {
        int attempts = replicas == 1 ? 1 : replicas * ATTEMPTS;
        return new ModelEvaluation(inference, token, model, attempts, timeout, teller).ask();
    }

    private Optional<HeldOutEvaluation> ask() throws InterruptedException {
        long begin = System.nanoTime();
        String reason = "";
        for (int i = 0; i < attempts && System.nanoTime() - begin < timeout.toNanos(); i++) {
            try {
                // Another connection, which may be another replica's.
                InferenceClient client = new InferenceClient(inference, token, timeout);
                Optional<HeldOutEvaluation> evaluation = chosen(client.get("/evaluation"));
                if (evaluation.isPresent()) {
                    return evaluation;
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

    private Optional<HeldOutEvaluation> chosen(JsonNode reply) {
        Optional<HeldOutEvaluation> newest = read(reply.path("evaluation"));
        return newest.filter(this::isOfModel)
                .or(() -> read(reply.path("best")).filter(this::isOfModel))
                .or(() -> newest);
    }

    private static Optional<HeldOutEvaluation> read(JsonNode evaluation) {
        return evaluation.isObject()
                ? Optional.of(JsonMapper.shared().treeToValue(evaluation, HeldOutEvaluation.class))
                : Optional.empty();
    }

    private boolean isOfModel(HeldOutEvaluation evaluation) {
        return new ParameterVersion(evaluation.generation(), evaluation.version()).equals(model);
    }
}
