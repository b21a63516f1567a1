package org.fleetgrad.ps.web.control;

import java.time.Clock;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.ParameterMessages.RollbackReply;
import org.fleetgrad.protocol.messages.ParameterMessages.RollbackRequest;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.run.Lifecycle.RollbackOutcome;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.OutcomeProblems;
import org.fleetgrad.ps.web.request.RequestMembers;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /rollback}: rolls back to a checkpoint, in a new generation. */
@RestController
record RollbackController(Training training, PublishedParameters published, RunHistory course, Clock clock) {

    @PostMapping(Routes.ROLLBACK)
    RollbackReply rollBack(@RequestBody RollbackRequest request) {
        long checkpoint = RequestMembers.required("checkpoint", request.checkpoint());
        long reached = published.version().map(ParameterVersion::version).orElse(0L);
        RollbackOutcome outcome = OutcomeProblems.awaitOutcome(training.rollBack(checkpoint));
        if (outcome instanceof RollbackOutcome.RolledBack done) {
            course.add(new RunHistory.Rollback(
                    clock.millis(), reached, done.version().version()));
            return new RollbackReply(
                    200, done.version().generation(), done.version().version(), checkpoint);
        }
        throw OutcomeProblems.of((RollbackOutcome.Unusable) outcome);
    }
}
