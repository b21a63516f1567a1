package org.fleetgrad.inference.infer;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.fleetgrad.serving.PredictionResult;

/** The outputs of a model, each float32, [count, outputs]. */
public enum InferOutput {
    /** The network's output before the softmax. */
    LOGITS,
    /** The softmax of the logits. */
    PROBABILITIES;

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    float[] of(PredictionResult answer) {
        return this == LOGITS ? answer.logits() : answer.probabilities();
    }

    static InferOutput named(String name) {
        List<String> names = Arrays.stream(values()).map(InferOutput::text).toList();
        return Arrays.stream(values())
                .filter(output -> output.text().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        InferReader.malformed("there is no output '%s'; the outputs are %s".formatted(name, names)));
    }

    /** An output that a request names; the values of a binary one are sent as bytes after the JSON. */
    public record Requested(InferOutput output, boolean isBinary) {}
}
