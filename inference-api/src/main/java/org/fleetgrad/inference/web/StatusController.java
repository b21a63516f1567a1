package org.fleetgrad.inference.web;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.inference.evaluation.BackgroundEvaluation;
import org.fleetgrad.inference.following.FollowState;
import org.fleetgrad.inference.following.Follower;
import org.fleetgrad.inference.following.Lag;
import org.fleetgrad.inference.following.ParameterServer;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.LiveModel.ServedVersion;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The state of the service over HTTP. */
@RestController
class StatusController {

    private final InferenceProperties properties;
    private final LiveModel model;
    private final Follower follower;
    private final Predictor predictor;
    private final Lag lag;
    private final ObjectProvider<BackgroundEvaluation> evaluations;
    private final Clock clock;
    private final Instant begin;

    StatusController(
            InferenceProperties properties,
            LiveModel model,
            Follower follower,
            Predictor predictor,
            ParameterServer server,
            ObjectProvider<BackgroundEvaluation> evaluations,
            Clock clock) {
        this.properties = properties;
        this.model = model;
        this.follower = follower;
        this.predictor = predictor;
        this.lag = new Lag(server);
        this.evaluations = evaluations;
        this.clock = clock;
        this.begin = clock.instant();
    }

    @GetMapping("/status")
    InferenceStatusReply status() {
        Optional<ServedVersion> serving = model.served();
        Optional<ParameterVersion> served = serving.map(ServedVersion::version);
        FollowState following = follower.state();
        Optional<BackgroundEvaluation> evaluation = Optional.ofNullable(evaluations.getIfAvailable());
        return new InferenceStatusReply(
                200,
                served.isPresent() ? "serving" : "waiting",
                following.kind() == FollowState.Kind.FOLLOWING ? null : following.detail(),
                properties.server().get(0),
                serving.map(one -> one.network().name()).orElse(null),
                serving.map(one -> InferenceStatusReply.listed(one.classes())).orElse(null),
                served.map(ParameterVersion::generation).orElse(null),
                served.map(ParameterVersion::version).orElse(null),
                served.flatMap(lag::of).orElse(null),
                predictor.images(),
                evaluation
                        .flatMap(BackgroundEvaluation::last)
                        .map(InferenceStatusReply.EvaluationReply::of)
                        .orElse(null),
                evaluation.flatMap(BackgroundEvaluation::detail).orElse(null),
                Duration.between(begin, clock.instant()).toMillis());
    }
}
