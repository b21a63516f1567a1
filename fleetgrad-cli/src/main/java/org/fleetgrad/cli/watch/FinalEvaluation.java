package org.fleetgrad.cli.watch;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.fleetgrad.cli.failure.CommandFailedException;
import org.fleetgrad.cli.services.Services;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.StatusReply;

/** Gets the model while no worker trains, with the held-out accuracy of exactly that version. */
public final class FinalEvaluation {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(50);

    private final Services services;

    FinalEvaluation(Services services) {
        this.services = services;
    }

    /** The model, and the server's figures for exactly that version. */
    public record Outcome(Pulled model, StatusReply status) {}

    /** Pulls the newest parameters and waits until the evaluator has reported their accuracy. */
    Outcome evaluate() throws IOException, CommandFailedException, InterruptedException {
        while (true) {
            Pulled model = model();
            StatusReply status = await();
            // A server that died in the meantime is back at an earlier version.
            if (model.version().equals(new ParameterVersion(status.generation(), status.version()))) {
                return new Outcome(model, status);
            }
        }
    }

    private Pulled model() throws IOException, CommandFailedException, InterruptedException {
        PullResult result = services.askAll(ParameterServers::pull);
        if (result instanceof Pulled pulled) {
            return pulled;
        }
        throw CommandFailedException.remote("the parameter server has no parameters after training: " + result);
    }

    private StatusReply await() throws IOException, CommandFailedException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            StatusReply status = services.ask(PsClient::status);
            if (Objects.equals(status.accuracyVersion(), status.version())) {
                return status;
            }
            if (System.nanoTime() > end) {
                throw CommandFailedException.remote(
                        "inference-api has not evaluated version %d after %s; the newest it has is %s"
                                .formatted(status.version(), PATIENCE, status.accuracyVersion()));
            }
            Thread.sleep(LOOK.toMillis());
        }
    }
}
