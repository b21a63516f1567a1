package org.fleetgrad.onnx.form;

import java.util.List;
import org.fleetgrad.onnx.file.ElementType;
import org.fleetgrad.onnx.file.OnnxGraph;
import org.fleetgrad.onnx.file.ValueInfo;

/**
 * Texts as the numbers of their tokens, as many as one likes up to the context.
 *
 * @param context most tokens
 */
public record TokenForm(int context) implements SampleForm {

    /** The free side of a text. */
    public static final String TOKENS = "tokens";

    @Override
    public List<ValueInfo> inputs() {
        return List.of(new ValueInfo(
                "input_ids",
                ElementType.INT64,
                List.of(SAMPLES, TOKENS),
                "numbers of tokens, at most %d of a text".formatted(context)));
    }

    @Override
    public String add(OnnxGraph graph) {
        return graph.input(inputs().get(0));
    }

    @Override
    public List<Object> values(float[] samples, int count) {
        long[] tokens = new long[count * context];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = (long) samples[i];
        }
        return List.of(tokens);
    }

    @Override
    public String description() {
        return "It takes the numbers of tokens, at most %d of a text.".formatted(context);
    }
}
