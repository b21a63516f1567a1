package org.fleetgrad.onnx.form;

import java.util.List;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.ElementType;
import org.fleetgrad.onnx.file.OnnxGraph;
import org.fleetgrad.onnx.file.ValueInfo;

/**
 * Images with pixels from 0 to 1, which the model scales as the dataset's were.
 *
 * @param shape         [channels, height, width]
 * @param normalization of the dataset
 */
public record ImageForm(List<Integer> shape, Normalization normalization) implements SampleForm {

    public ImageForm {
        shape = List.copyOf(shape);
    }

    @Override
    public List<ValueInfo> inputs() {
        return List.of(new ValueInfo(
                "image",
                ElementType.FLOAT32,
                List.of(
                        SAMPLES,
                        shape.get(0).toString(),
                        shape.get(1).toString(),
                        shape.get(2).toString()),
                "pixels from 0 to 1; the channels are red, green and blue, or grey alone"));
    }

    @Override
    public String add(OnnxGraph graph) {
        String pixels = graph.input(inputs().get(0));
        String centred = graph.add("Sub", Attributes.none(), pixels, ofChannels(graph, normalization.mean()));
        return graph.add("Div", Attributes.none(), centred, ofChannels(graph, normalization.std()));
    }

    private static String ofChannels(OnnxGraph graph, List<Float> values) {
        float[] floats = new float[values.size()];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = values.get(i);
        }
        return graph.floats(List.of((long) floats.length, 1L, 1L), floats);
    }

    @Override
    public List<Object> values(float[] samples, int count) {
        int plane = shape.get(1) * shape.get(2);
        int channels = shape.get(0);
        float[] pixels = new float[count * channels * plane];
        for (int i = 0; i < pixels.length; i++) {
            int channel = i / plane % channels;
            pixels[i] = samples[i] * normalization.std().get(channel)
                    + normalization.mean().get(channel);
        }
        return List.of(pixels);
    }

    @Override
    public String description() {
        return "It takes images with pixels from 0 to 1; the dataset's scaling is inside.";
    }
}
