package org.fleetgrad.inference.web;

import java.util.List;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.inference.infer.TensorDescription;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.SampleForm;
import org.fleetgrad.serving.policy.WantedVersion;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The server and model metadata of the Open Inference Protocol, version 2. */
@RestController
class ModelController {

    private static final String VERSION = "2";

    private final String name;
    private final LiveModel model;
    private final Refusals refusals;

    ModelController(InferenceProperties properties, LiveModel model, Refusals refusals) {
        this.name = properties.modelName();
        this.model = model;
        this.refusals = refusals;
    }

    record ServerReply(String name, String version, List<String> extensions) {}

    /** The model; {@code versions} are the held ones. */
    record ModelReply(
            String name,
            List<String> versions,
            String platform,
            List<TensorDescription> inputs,
            List<TensorDescription> outputs) {}

    @GetMapping("/v2")
    ServerReply server() {
        return new ServerReply("fleetgrad", VERSION, List.of("binary_tensor_data", "statistics"));
    }

    @GetMapping("/v2/health/live")
    ResponseEntity<Void> live() {
        return ResponseEntity.ok().build();
    }

    @GetMapping("/v2/health/ready")
    ResponseEntity<Void> ready() {
        return readiness(WantedVersion.BY_POLICY);
    }

    @GetMapping({"/v2/models/{model}/ready", "/v2/models/{model}/versions/{version}/ready"})
    ResponseEntity<Void> modelReady(
            @PathVariable("model") String requested, @PathVariable(required = false) @Nullable String version) {
        InferController.requireModel(name, requested);
        return readiness(PredictController.wanted(version));
    }

    private ResponseEntity<Void> readiness(WantedVersion wanted) {
        if (model.network(wanted).isEmpty()) {
            throw refusals.refused(model.refusal(wanted));
        }
        return ResponseEntity.ok().build();
    }

    @GetMapping({"/v2/models/{model}", "/v2/models/{model}/versions/{version}"})
    ModelReply model(
            @PathVariable("model") String requested, @PathVariable(required = false) @Nullable String version) {
        WantedVersion wanted = PredictController.wanted(version);
        InferController.requireModel(name, requested);
        SampleForm form = model.form(wanted).orElseThrow(() -> refusals.refused(model.refusal(wanted)));
        return new ModelReply(
                name,
                model.versions().stream().map(Object::toString).toList(),
                "pytorch_libtorch",
                TensorDescription.inputs(form),
                TensorDescription.outputs(form));
    }
}
