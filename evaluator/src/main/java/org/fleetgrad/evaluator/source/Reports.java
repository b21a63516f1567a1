package org.fleetgrad.evaluator.source;

import java.io.IOException;
import java.util.function.Consumer;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.serving.evaluation.Evaluation;

/**
 * Reports evaluations to the server of the versions, as the inference API does.
 *
 * @param log receives a line about each report that was too late
 */
public record Reports(TrainingServer server, Consumer<String> log) {

    private static final int CONFLICT = 409;

    /** Reports an evaluation; the server rejects it if its history is gone by now. */
    public void send(Evaluation evaluation) throws IOException {
        try {
            server.report(evaluation.report());
        } catch (ProblemException refused) {
            if (refused.problem().status() != CONFLICT) {
                throw refused;
            }
            log.accept("the server no longer accepts the evaluation of version %s: %s"
                    .formatted(evaluation.version(), refused.getMessage()));
        }
    }
}
