package org.fleetgrad.inference.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.inference.infer.ModelStatistics;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.batching.BatchStatistics;
import org.fleetgrad.serving.batching.BatchStatistics.Figures;
import org.fleetgrad.serving.policy.WantedVersion;
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

    private static final String READY = "READY";
    private static final String UNAVAILABLE = "UNAVAILABLE";

    private final String name;
    private final LiveModel model;
    private final Refusals refusals;
    private final BatchStatistics statistics;
    private final BoundedBodyReader bodies;

    ModelStatisticsController(
            InferenceProperties properties,
            LiveModel model,
            Refusals refusals,
            BatchStatistics statistics,
            BoundedBodyReader bodies) {
        this.name = properties.modelName();
        this.model = model;
        this.refusals = refusals;
        this.statistics = statistics;
        this.bodies = bodies;
    }

    /** A held version, or the model without one. */
    record IndexEntry(String name, @Nullable String version, String state, String reason) {}

    @GetMapping("/v2/models/stats")
    ModelStatistics all() {
        return ModelStatistics.of(name, statistics.versions());
    }

    @GetMapping({"/v2/models/{model}/stats", "/v2/models/{model}/versions/{version}/stats"})
    ModelStatistics statistics(
            @PathVariable("model") String requested, @PathVariable(required = false) @Nullable String version) {
        InferController.requireModel(name, requested);
        if (version == null) {
            return all();
        }
        WantedVersion.Named wanted = named(version);
        List<Figures> remembered = statistics.versions();
        Optional<ParameterVersion> found = wanted.among(
                        remembered.stream().map(Figures::version).toList())
                .or(() -> wanted.among(model.versions()));
        ParameterVersion meant = found.orElseThrow(() -> refusals.refused(model.refusal(wanted)));
        Figures figures = remembered.stream()
                .filter(each -> each.version().equals(meant))
                .findFirst()
                .orElseGet(() -> Figures.none(meant));
        return ModelStatistics.of(name, List.of(figures));
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

    private static WantedVersion.Named named(String version) {
        return (WantedVersion.Named) PredictController.wanted(version);
    }

    @PostMapping("/v2/repository/index")
    List<IndexEntry> index(HttpServletRequest request) throws IOException {
        boolean isReadyOnly = isReadyOnly(bodies.read(request));
        List<ParameterVersion> held = model.versions();
        if (held.isEmpty()) {
            return isReadyOnly
                    ? List.of()
                    : List.of(new IndexEntry(name, null, UNAVAILABLE, "no version has arrived yet"));
        }
        return held.stream()
                .map(version -> new IndexEntry(name, version.toString(), READY, ""))
                .toList();
    }
}
