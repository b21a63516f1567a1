package org.fleetgrad.inference.web;

import org.fleetgrad.inference.following.Follower;
import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.PredictionOutcome.Answered;
import org.fleetgrad.serving.PredictionOutcome.Full;
import org.fleetgrad.serving.PredictionOutcome.NoVersion;
import org.fleetgrad.serving.PredictionOutcome.NotHeld;
import org.fleetgrad.serving.PredictionResult;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** Turns an outcome without an answer into the exception for it. */
@Component
class Refusals {

    private final Follower follower;
    private final LiveModel model;

    Refusals(Follower follower, LiveModel model) {
        this.follower = follower;
        this.model = model;
    }

    /** Returns the answer, or throws the reason why there is none. */
    PredictionResult answerOf(PredictionOutcome outcome) {
        if (outcome instanceof Answered answered) {
            return answered.result();
        }
        throw refused(outcome);
    }

    RefusedException refused(PredictionOutcome outcome) {
        if (outcome instanceof NotHeld notHeld) {
            return new RefusedException(
                    HttpStatus.NOT_FOUND,
                    ProblemRules.VERSION_NOT_HELD,
                    "the version %s is not held; held are %s".formatted(notHeld.wanted(), notHeld.held()));
        }
        if (outcome instanceof NoVersion) {
            return new RefusedException(HttpStatus.SERVICE_UNAVAILABLE, ProblemRules.NO_PARAMETERS, noVersion());
        }
        if (outcome instanceof Full full) {
            return new RefusedException(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    ProblemRules.BUSY,
                    "%d images of %d bytes wait for an answer; at most %d images and %d bytes may wait"
                            .formatted(full.images(), full.bytes(), full.maxImages(), full.maxBytes()));
        }
        return new RefusedException(
                HttpStatus.SERVICE_UNAVAILABLE, ProblemRules.BUSY, "the service shuts down: ask another one, or later");
    }

    private String noVersion() {
        return model.versions().isEmpty()
                ? "there is no model yet: " + follower.state().detail()
                : "the policy %s waits for its version; held are %s"
                        .formatted(model.policy().text(), model.versions());
    }
}
