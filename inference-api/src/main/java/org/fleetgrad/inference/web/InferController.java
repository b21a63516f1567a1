package org.fleetgrad.inference.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.inference.infer.InferReader;
import org.fleetgrad.inference.infer.InferReply;
import org.fleetgrad.inference.infer.InferRequest;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.policy.WantedVersion;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Inference by the Open Inference Protocol, version 2. */
@RestController
class InferController {

    static final String HEADER_LENGTH = "Inference-Header-Content-Length";

    private final String name;
    private final int maxImages;
    private final Predictor predictor;
    private final Refusals refusals;
    private final BoundedBodyReader bodies;

    InferController(InferenceProperties properties, Predictor predictor, Refusals refusals, BoundedBodyReader bodies) {
        this.name = properties.modelName();
        this.maxImages = properties.maxBatch();
        this.predictor = predictor;
        this.refusals = refusals;
        this.bodies = bodies;
    }

    @PostMapping({"/v2/models/{model}/infer", "/v2/models/{model}/versions/{version}/infer"})
    ResponseEntity<byte[]> infer(
            HttpServletRequest request,
            @PathVariable String model,
            @PathVariable(required = false) @Nullable String version)
            throws IOException {
        WantedVersion wanted = PredictController.wanted(version);
        requireModel(name, model);
        try (ReceivedBody body = bodies.readPrediction(request)) {
            InferRequest parsed = InferReader.read(body.bytes(), request.getHeader(HEADER_LENGTH));
            PredictionResult result = refusals.resultOf(
                    predictor.predict(wanted, (form, memory) -> parsed.samples(form, maxImages, memory)));
            InferReply reply = InferReply.of(
                    name,
                    parsed,
                    result,
                    predictor.scores().of(result.version()).flatMap(HeldOutScore::accuracy),
                    predictor.idOf(result, result.predictions()));
            ResponseEntity.BodyBuilder builder = ResponseEntity.ok();
            reply.headerLength().ifPresent(length -> builder.header(HEADER_LENGTH, Integer.toString(length)));
            return builder.contentType(
                            reply.headerLength().isPresent()
                                    ? MediaType.APPLICATION_OCTET_STREAM
                                    : MediaType.APPLICATION_JSON)
                    .body(reply.body());
        }
    }

    static void requireModel(String name, String requested) {
        if (!requested.equals(name)) {
            throw new RequestRefused(
                    ProblemKind.NOT_FOUND, "there is no model '%s'; the model is '%s'".formatted(requested, name));
        }
    }
}
