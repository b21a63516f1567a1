package org.fleetgrad.cli.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.checkpoints.Checkpoint;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.ListedCheckpoint;
import org.fleetgrad.checkpoints.ListedCheckpoint.Complete;
import org.fleetgrad.checkpoints.ListedCheckpoint.Corrupt;
import org.fleetgrad.protocol.tensor.TensorSpec;
import tools.jackson.databind.json.JsonMapper;

/** Writes checkpoints for programs: one JSON object in a line. */
final class CheckpointJson {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private CheckpointJson() {}

    static String list(
            CheckpointLocation location, List<ListedCheckpoint> checkpoints, Optional<CheckpointManifest> best) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("location", location.toString());
        best.ifPresent(manifest -> json.put("best", manifest(manifest)));
        json.put("checkpoints", checkpoints.stream().map(CheckpointJson::listed).toList());
        return MAPPER.writeValueAsString(json);
    }

    static String show(CheckpointLocation location, Checkpoint checkpoint) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("location", location.toString());
        json.putAll(manifest(checkpoint.manifest()));
        json.put(
                "tensors",
                checkpoint.parameters().layout().specs().stream()
                        .map(CheckpointJson::tensor)
                        .toList());
        json.put("metadata", checkpoint.parameters().metadata());
        return MAPPER.writeValueAsString(json);
    }

    private static Map<String, Object> listed(ListedCheckpoint checkpoint) {
        if (checkpoint instanceof Complete complete) {
            return manifest(complete.manifest());
        }
        Corrupt corrupt = (Corrupt) checkpoint;
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("number", corrupt.number());
        json.put("whole", false);
        json.put("file", corrupt.file());
        json.put("reason", corrupt.reason());
        return json;
    }

    private static Map<String, Object> manifest(CheckpointManifest manifest) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("number", manifest.number());
        json.put("whole", true);
        json.put("name", manifest.name());
        json.put("generation", manifest.generation());
        json.put("version", manifest.version());
        json.put("written", manifest.written().toString());
        json.put("bytes", manifest.bytes());
        json.put("notes", manifest.notes());
        json.put("files", manifest.files());
        return json;
    }

    private static Map<String, Object> tensor(TensorSpec spec) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", spec.name());
        json.put("dtype", spec.dtype().toString());
        json.put("shape", spec.shape());
        return json;
    }
}
