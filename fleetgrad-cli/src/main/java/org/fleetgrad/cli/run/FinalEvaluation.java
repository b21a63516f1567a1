package org.fleetgrad.cli.run;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.fleetgrad.cli.process.ProcessGroup;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.messages.StatusReply;

/** The model as it stands when nobody trains, and the held-out accuracy of just that version. */
final class FinalEvaluation {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(50);

    private final PsClient client;
    private final ProcessGroup programs;

    FinalEvaluation(PsClient client, ProcessGroup programs) {
        this.client = client;
        this.programs = programs;
    }

    /** Pulls the newest parameters. */
    Pulled model() throws IOException, RunFailedException {
        PullResult result = client.pull();
        if (result instanceof Pulled pulled) {
            return pulled;
        }
        throw RunFailedException.remote("the parameter server has no parameters after training: " + result);
    }

    /** Waits until the evaluator has reported on the newest version. */
    StatusReply await() throws IOException, RunFailedException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Services.requireAlive(programs);
            StatusReply status = client.status();
            if (Objects.equals(status.accuracyVersion(), status.version())) {
                return status;
            }
            if (System.nanoTime() > end) {
                throw RunFailedException.remote(
                        "inference-api has not evaluated version %d after %s; the newest it has is %s"
                                .formatted(status.version(), PATIENCE, status.accuracyVersion()));
            }
            Thread.sleep(LOOK.toMillis());
        }
    }
}
