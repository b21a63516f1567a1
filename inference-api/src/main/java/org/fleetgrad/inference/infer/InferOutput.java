package org.fleetgrad.inference.infer;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.ServedNetwork;
import tools.jackson.databind.node.ArrayNode;

/** The outputs of models, each [count, outputs]. */
public enum InferOutput {
    /** The network's output before softmax or sigmoid; of a number, in standard deviations from the mean. */
    LOGITS("FP32", Float.BYTES),
    /** The softmax of the logits of classes; of labels, the sigmoid of each. */
    PROBABILITIES("FP32", Float.BYTES),
    /** A number in the units of its column. Float32 would round it. */
    VALUE("FP64", Double.BYTES);

    private final String datatype;
    private final int bytes;

    InferOutput(String datatype, int bytes) {
        this.datatype = datatype;
        this.bytes = bytes;
    }

    /** Returns the outputs of a network. */
    public static List<InferOutput> of(ServedNetwork network) {
        return network.task().question() instanceof Regression
                ? List.of(VALUE, LOGITS)
                : List.of(LOGITS, PROBABILITIES);
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String datatype() {
        return datatype;
    }

    /** Returns the number of bytes of one value. */
    public int bytes() {
        return bytes;
    }

    /** Writes the values of an answer. */
    public void write(PredictionResult answer, ByteBuffer bytes) {
        if (this == VALUE) {
            for (double value : answer.amounts()) {
                bytes.putDouble(value);
            }
            return;
        }
        for (float value : floats(answer)) {
            bytes.putFloat(value);
        }
    }

    /** Writes the values of an answer. */
    void write(PredictionResult answer, ArrayNode data) {
        if (this == VALUE) {
            for (double value : answer.amounts()) {
                data.add(value);
            }
            return;
        }
        for (float value : floats(answer)) {
            data.add(value);
        }
    }

    private float[] floats(PredictionResult answer) {
        return this == LOGITS ? answer.logits() : answer.probabilities();
    }

    static InferOutput named(String name, List<InferOutput> there) {
        return there.stream()
                .filter(output -> output.text().equals(name))
                .findFirst()
                .orElseThrow(() -> InferReader.malformed("there is no output '%s'; the outputs are %s"
                        .formatted(name, there.stream().map(InferOutput::text).toList())));
    }
}
