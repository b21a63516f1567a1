package org.fleetgrad.checkpoints;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** Sample data for the tests. */
final class Samples {

    static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");
    static final TensorLayout LAYOUT =
            TensorLayout.canonical(List.of(TensorSpec.f32("fc.bias", 2), TensorSpec.f32("fc.weight", 2, 3)));

    private Samples() {}

    static ParameterVersion version(long version) {
        return new ParameterVersion("g1", version);
    }

    static Map<String, String> notes() {
        Map<String, String> notes = new LinkedHashMap<>();
        notes.put("network", "lenet5");
        notes.put("accuracy", "0.98");
        notes.put("dataset", "größe \"🙂\"\n");
        return notes;
    }

    static TensorSet parameters(long version) {
        float[] values = new float[8];
        for (int i = 0; i < values.length; i++) {
            values[i] = version + i / 8f;
        }
        return TensorSet.ofFloats(
                LAYOUT, values, Map.of("generation", "g1", "version", Long.toString(version), "network", "lenet5"));
    }

    /** Returns parameters, a state and a description of the training; their bytes depend on the version. */
    static List<CheckpointFile> files(long version) {
        return List.of(
                CheckpointFile.of(CheckpointManifest.PARAMETERS, parameters(version)),
                CheckpointFile.of("state.safetensors", parameters(version + 100)),
                CheckpointFile.of("training.json", training(version)));
    }

    static byte[] training(long version) {
        return "{\"steps\":%d}".formatted(version).getBytes(StandardCharsets.UTF_8);
    }

    static CheckpointManifest write(Checkpoints checkpoints, long version) throws IOException {
        return checkpoints.write(version(version), NOW, notes(), files(version));
    }
}
