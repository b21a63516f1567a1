package org.fleetgrad.inference.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.feedback.Feedback;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.policy.VersionPolicy;
import org.fleetgrad.web.StrictJson;
import org.fleetgrad.web.UnfitJson;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The policy over HTTP: which version answers, and which are held. */
@RestController
class PolicyController {

    private static final JsonMapper JSON =
            StrictJson.apply(JsonMapper.builder()).build();

    private final LiveModel model;
    private final Predictor predictor;
    private final Feedback feedback;
    private final BoundedBodyReader bodies;

    PolicyController(LiveModel model, Predictor predictor, Feedback feedback, BoundedBodyReader bodies) {
        this.model = model;
        this.predictor = predictor;
        this.feedback = feedback;
        this.bodies = bodies;
    }

    record PolicyRequest(@Nullable String policy) {}

    /** The policy and its consequences; {@code openapi.yaml} explains each member. */
    record PolicyReply(
            int code,
            String policy,
            @Nullable String generation,
            @Nullable Long version,
            List<HeldReply> held) {}

    record HeldReply(
            String generation,
            long version,
            @Nullable Double accuracy,
            @Nullable Double loss,
            @Nullable LiveReply live) {}

    @GetMapping("/policy")
    PolicyReply policy() {
        Optional<ParameterVersion> answering = model.version();
        return new PolicyReply(
                200,
                model.policy().text(),
                answering.map(ParameterVersion::generation).orElse(null),
                answering.map(ParameterVersion::version).orElse(null),
                model.versions().stream().map(this::held).toList());
    }

    private HeldReply held(ParameterVersion version) {
        Optional<HeldOutScore> score = predictor.scores().of(version);
        return new HeldReply(
                version.generation(),
                version.version(),
                score.flatMap(HeldOutScore::accuracy).orElse(null),
                score.flatMap(HeldOutScore::loss).orElse(null),
                feedback.of(version).map(LiveReply::of).orElse(null));
    }

    @PutMapping(path = "/policy", consumes = MediaType.APPLICATION_JSON_VALUE)
    PolicyReply change(HttpServletRequest request) throws IOException {
        String text = text(bodies.read(request));
        try {
            model.setPolicy(VersionPolicy.valueOf(text));
        } catch (IllegalArgumentException invalid) {
            throw new RequestRefused(ProblemKind.INVALID_PARAMETER, String.valueOf(invalid.getMessage()));
        }
        return policy();
    }

    private static String text(byte[] body) {
        try {
            PolicyRequest request = JSON.readValue(body, PolicyRequest.class);
            if (request != null && request.policy() != null) {
                return request.policy();
            }
        } catch (JacksonException wrong) {
            throw new RequestRefused(
                    ProblemKind.INVALID_PARAMETER,
                    "the body must be like {\"policy\": \"latest\"}: " + UnfitJson.text(wrong));
        }
        throw new RequestRefused(ProblemKind.INVALID_PARAMETER, "the body must be like {\"policy\": \"latest\"}");
    }
}
