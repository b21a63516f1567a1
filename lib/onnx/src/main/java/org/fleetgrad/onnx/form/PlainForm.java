package org.fleetgrad.onnx.form;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.onnx.file.ElementType;
import org.fleetgrad.onnx.file.OnnxGraph;
import org.fleetgrad.onnx.file.ValueInfo;

/**
 * Samples as the network takes them, of a model whose metadata do not say how they were scaled.
 *
 * @param shape of one sample
 */
public record PlainForm(List<Integer> shape) implements SampleForm {

    public PlainForm {
        shape = List.copyOf(shape);
    }

    @Override
    public List<ValueInfo> inputs() {
        List<String> sides = new ArrayList<>(List.of(SAMPLES));
        shape.forEach(side -> sides.add(side.toString()));
        return List.of(new ValueInfo("input", ElementType.FLOAT32, sides, "values as the network takes them"));
    }

    @Override
    public String add(OnnxGraph graph) {
        return graph.input(inputs().get(0));
    }

    @Override
    public List<Object> values(float[] samples, int count) {
        int size = shape.stream().reduce(1, Math::multiplyExact);
        return List.of(Arrays.copyOf(samples, count * size));
    }

    @Override
    public String description() {
        return "It takes samples scaled as in training: the model's file does not say how they were.";
    }
}
