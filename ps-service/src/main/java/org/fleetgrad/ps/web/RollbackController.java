package org.fleetgrad.ps.web;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.RollbackReply;
import org.fleetgrad.protocol.messages.RollbackRequest;
import org.fleetgrad.ps.training.RollbackOutcome;
import org.fleetgrad.ps.training.Training;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /rollback}: goes back to a checkpoint, in a new generation. */
@RestController
class RollbackController {

    private static final Map<String, String> RETRY = Map.of("Retry-After", "1");

    private final Training training;

    RollbackController(Training training) {
        this.training = training;
    }

    @PostMapping(Routes.ROLLBACK)
    RollbackReply rollBack(@RequestBody RollbackRequest request) {
        if (request.checkpoint() == null) {
            throw new RequestRefused(ProblemKind.MALFORMED, "the request lacks 'checkpoint'");
        }
        long checkpoint = request.checkpoint();
        RollbackOutcome outcome = await(checkpoint);
        if (outcome instanceof RollbackOutcome.RolledBack done) {
            return new RollbackReply(
                    200, done.version().generation(), done.version().version(), checkpoint);
        }
        if (outcome instanceof RollbackOutcome.Unusable unusable) {
            throw new RequestRefused(ProblemKind.NO_CHECKPOINT, unusable.detail());
        }
        if (outcome instanceof RollbackOutcome.NotDurable unwritable) {
            throw new RequestRefused(ProblemKind.NOT_DURABLE, unwritable.detail(), Map.of(), RETRY);
        }
        throw new RequestRefused(ProblemKind.BUSY, ((RollbackOutcome.Busy) outcome).detail(), Map.of(), RETRY);
    }

    private RollbackOutcome await(long checkpoint) {
        try {
            return training.applier().rollBack(checkpoint).get();
        } catch (ExecutionException bug) {
            throw new IllegalStateException("the applier failed", bug.getCause());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return new RollbackOutcome.Busy("the server is stopping");
        }
    }
}
