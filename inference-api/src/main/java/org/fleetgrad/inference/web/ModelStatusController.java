package org.fleetgrad.inference.web;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.following.Follower;
import org.fleetgrad.following.Follower.FollowState;
import org.fleetgrad.following.ParameterServer;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.inference.evaluation.BackgroundEvaluation;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.HeldOutEvaluation;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.LiveModel.ServedVersion;
import org.fleetgrad.serving.SampleForm;
import org.fleetgrad.serving.evaluation.Evaluation;
import org.fleetgrad.serving.policy.WantedVersion;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The state of the service over HTTP. */
@RestController
class ModelStatusController {

    private final InferenceProperties properties;
    private final LiveModel model;
    private final Follower follower;
    private final Predictor predictor;
    private final ParameterServer server;
    private final ObjectProvider<BackgroundEvaluation> evaluations;
    private final Clock clock;
    private final Instant begin;

    ModelStatusController(
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
        this.server = server;
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
                model.form(WantedVersion.BY_POLICY)
                        .flatMap(SampleForm::rows)
                        .map(TableReply::of)
                        .orElse(null),
                served.map(ParameterVersion::generation).orElse(null),
                served.map(ParameterVersion::version).orElse(null),
                served.flatMap(server::lag).orElse(null),
                predictor.images(),
                evaluation
                        .flatMap(BackgroundEvaluation::last)
                        .map(Evaluation::figures)
                        .orElse(null),
                evaluation.flatMap(BackgroundEvaluation::detail).orElse(null),
                Duration.between(begin, clock.instant()).toMillis());
    }

    /** The state of the service; {@code openapi.yaml} explains each member. */
    record InferenceStatusReply(
            int code,
            String state,
            @Nullable String detail,
            URI server,
            @Nullable String network,
            @Nullable List<String> classes,
            @Nullable TableReply table,
            @Nullable String generation,
            @Nullable Long version,
            @Nullable Long lag,
            long predictions,
            @Nullable HeldOutEvaluation evaluation,
            @Nullable String evaluationDetail,
            long uptimeMs) {

        /** Maximum characters of all class names together: a client that polls for another version gets them each time. */
        static final int MAX_CLASS_CHARACTERS = 1 << 16;

        /** Returns the names of the classes, or null if there are none, or they are too long for a status. */
        static @Nullable List<String> listed(List<String> classes) {
            if (classes.isEmpty()) {
                return null;
            }
            long characters = 0;
            for (String name : classes) {
                // As JSON: two quotes and a comma.
                characters += name.length() + 3L;
                if (characters > MAX_CLASS_CHARACTERS) {
                    return null;
                }
            }
            return classes;
        }
    }
}
