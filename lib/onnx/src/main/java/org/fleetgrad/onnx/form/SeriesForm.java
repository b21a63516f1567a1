package org.fleetgrad.onnx.form;

import java.util.List;
import org.fleetgrad.datasets.SeriesSchema;
import org.fleetgrad.datasets.SeriesSchema.Channel;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.ElementType;
import org.fleetgrad.onnx.file.OnnxGraph;
import org.fleetgrad.onnx.file.ValueInfo;

/**
 * Series in their own units, which the model standardizes by the dataset's means: in float64, as in training, since a mean can be large
 * beside the deviations from it.
 *
 * @param schema has the mean and the standard deviation of each channel
 */
public record SeriesForm(SeriesSchema schema) implements SampleForm {

    @Override
    public List<ValueInfo> inputs() {
        return List.of(new ValueInfo(
                "series",
                ElementType.FLOAT64,
                List.of(SAMPLES, Integer.toString(schema.channels().size()), Integer.toString(schema.length())),
                "values in their own units"));
    }

    @Override
    public String add(OnnxGraph graph) {
        String values = graph.input(inputs().get(0));
        double[] means = schema.channels().stream().mapToDouble(Channel::mean).toArray();
        double[] stds = schema.channels().stream().mapToDouble(Channel::std).toArray();
        List<Long> shape = List.of((long) means.length, 1L);
        String centred = graph.add("Sub", Attributes.none(), values, graph.doubles(shape, means));
        String scaled = graph.add("Div", Attributes.none(), centred, graph.doubles(shape, stds));
        return graph.add("Cast", NumberInput.toFloat(), scaled);
    }

    @Override
    public List<Object> values(float[] samples, int count) {
        double[] values = new double[count * schema.width()];
        for (int i = 0; i < values.length; i++) {
            Channel channel = schema.channels()
                    .get(i / schema.length() % schema.channels().size());
            values[i] = channel.mean() + channel.std() * samples[i];
        }
        return List.of(values);
    }

    @Override
    public String description() {
        return "It takes series in their own units; the dataset's scaling is inside.";
    }
}
