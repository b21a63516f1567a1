package org.fleetgrad.inference.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.fleetgrad.inference.infer.InferReader;
import org.fleetgrad.inference.infer.InferReply;
import org.fleetgrad.inference.infer.InferRequest;
import org.fleetgrad.inference.infer.OpenInference;
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

    private final OpenInference inference;
    private final BoundedBodyReader bodies;

    InferController(OpenInference inference, BoundedBodyReader bodies) {
        this.inference = inference;
        this.bodies = bodies;
    }

    @PostMapping({"/v2/models/{model}/infer", "/v2/models/{model}/versions/{version}/infer"})
    ResponseEntity<byte[]> infer(
            HttpServletRequest request,
            @PathVariable String model,
            @PathVariable(required = false) @Nullable String version)
            throws IOException {
        WantedVersion wanted = inference.wanted(model, version);
        try (ReceivedBody body = bodies.readPrediction(request)) {
            InferRequest parsed = InferReader.read(body.bytes(), request.getHeader(HEADER_LENGTH));
            InferReply reply = InferReply.of(parsed, inference.infer(wanted, parsed));
            ResponseEntity.BodyBuilder builder = ResponseEntity.ok();
            reply.headerLength().ifPresent(length -> builder.header(HEADER_LENGTH, Integer.toString(length)));
            return builder.contentType(
                            reply.headerLength().isPresent()
                                    ? MediaType.APPLICATION_OCTET_STREAM
                                    : MediaType.APPLICATION_JSON)
                    .body(reply.body());
        }
    }
}
