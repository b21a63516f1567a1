package org.fleetgrad.inference.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.infer.ModelStatistics;
import org.fleetgrad.inference.infer.OpenInference;
import org.fleetgrad.inference.infer.OpenInference.IndexEntry;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.web.UnfitJson;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Triton's extensions {@code statistics} and {@code model_repository}, as far as they read: tools of its users ask for them. */
@RestController
class ModelStatisticsController {

    private final OpenInference inference;
    private final BoundedBodyReader bodies;

    ModelStatisticsController(OpenInference inference, BoundedBodyReader bodies) {
        this.inference = inference;
        this.bodies = bodies;
    }

    @GetMapping("/v2/models/stats")
    ModelStatistics all() {
        return inference.statistics();
    }

    @GetMapping({"/v2/models/{model}/stats", "/v2/models/{model}/versions/{version}/stats"})
    ModelStatistics statistics(
            @PathVariable("model") String requested, @PathVariable(required = false) @Nullable String version) {
        return inference.statistics(requested, version);
    }

    /** Reads {@code {"ready": true}}; a body is not needed. */
    private static boolean isReadyOnly(byte[] body) {
        if (body.length == 0) {
            return false;
        }
        JsonNode asked;
        try {
            asked = JsonMapper.shared().readTree(body);
        } catch (JacksonException malformed) {
            throw new RequestRefused(
                    ProblemKind.MALFORMED,
                    "the %d bytes of the body are not JSON%s".formatted(body.length, UnfitJson.where(malformed)));
        }
        if (!asked.isObject()) {
            throw new RequestRefused(ProblemKind.MALFORMED, "the body is a JSON object; it is " + asked.getNodeType());
        }
        JsonNode ready = asked.path("ready");
        if (!ready.isMissingNode() && !ready.isNull() && !ready.isBoolean()) {
            throw new RequestRefused(ProblemKind.MALFORMED, "'ready' is true or false; it is " + ready.getNodeType());
        }
        return ready.asBoolean(false);
    }

    @PostMapping("/v2/repository/index")
    List<IndexEntry> index(HttpServletRequest request) throws IOException {
        return inference.index(isReadyOnly(bodies.read(request)));
    }
}
