package org.fleetgrad.runs.watch;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.services.Services;

/** Gets the model while no worker trains, with the held-out accuracy of exactly that version. */
public final class FinalEvaluation {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** A large network may take minutes for one evaluation on a small machine, and may just have begun another. */
    private static final Duration LONGEST = Duration.ofMinutes(60);

    private static final Duration LOOK = Duration.ofMillis(50);

    private final Services services;
    private final EvaluatorState evaluator;

    public FinalEvaluation(Services services) {
        this.services = services;
        this.evaluator = new EvaluatorState(services.inference(), services.token());
    }

    /** The model, and the server's figures for exactly that version. */
    public record Outcome(Pulled model, StatusReply status) {}

    /** Pulls the newest parameters and waits until the evaluator has reported their accuracy. */
    public Outcome evaluate() throws IOException, RunFailedException, InterruptedException {
        while (true) {
            Pulled model = model();
            StatusReply status = await();
            // A server that died in the meantime was restored at an earlier version.
            if (model.version().equals(new ParameterVersion(status.generation(), status.version()))) {
                return new Outcome(model, status);
            }
        }
    }

    private Pulled model() throws IOException, RunFailedException, InterruptedException {
        PullResult result = services.askAll(ParameterServers::pull);
        if (result instanceof Pulled pulled) {
            return pulled;
        }
        throw RunFailedException.remote("the parameter server has no parameters after training: " + result);
    }

    private StatusReply await() throws IOException, RunFailedException, InterruptedException {
        long begin = System.nanoTime();
        Duration limit = PATIENCE;
        while (true) {
            StatusReply status = services.ask(PsClient::status);
            if (Objects.equals(status.accuracyVersion(), status.version())) {
                return status;
            }
            if (System.nanoTime() - begin > limit.toNanos()) {
                Optional<String> obstacle = evaluator.obstacle();
                if (obstacle.isPresent() || limit.compareTo(LONGEST) >= 0) {
                    throw RunFailedException.remote(
                            "inference-api has not evaluated version %d after %s; the newest it has is %s; %s"
                                    .formatted(
                                            status.version(),
                                            limit,
                                            status.accuracyVersion(),
                                            obstacle.orElse("it gives no reason")));
                }
                limit = limit.plus(PATIENCE);
            }
            Thread.sleep(LOOK.toMillis());
        }
    }
}
