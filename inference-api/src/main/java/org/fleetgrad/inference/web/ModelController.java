package org.fleetgrad.inference.web;

import java.util.List;
import org.fleetgrad.inference.infer.OpenInference;
import org.fleetgrad.inference.infer.OpenInference.ModelMetadata;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The server and model metadata of the Open Inference Protocol, version 2. */
@RestController
class ModelController {

    private final OpenInference inference;

    ModelController(OpenInference inference) {
        this.inference = inference;
    }

    record ServerReply(String name, String version, List<String> extensions) {}

    @GetMapping("/v2")
    ServerReply server() {
        return new ServerReply(
                OpenInference.SERVER, OpenInference.VERSION, List.of("binary_tensor_data", "statistics"));
    }

    @GetMapping("/v2/health/live")
    ResponseEntity<Void> live() {
        return ResponseEntity.ok().build();
    }

    @GetMapping("/v2/health/ready")
    ResponseEntity<Void> ready() {
        inference.requireReady();
        return ResponseEntity.ok().build();
    }

    @GetMapping({"/v2/models/{model}/ready", "/v2/models/{model}/versions/{version}/ready"})
    ResponseEntity<Void> modelReady(
            @PathVariable("model") String requested, @PathVariable(required = false) @Nullable String version) {
        inference.requireReady(requested, version);
        return ResponseEntity.ok().build();
    }

    @GetMapping({"/v2/models/{model}", "/v2/models/{model}/versions/{version}"})
    ModelMetadata model(
            @PathVariable("model") String requested, @PathVariable(required = false) @Nullable String version) {
        return inference.metadata(requested, version);
    }
}
