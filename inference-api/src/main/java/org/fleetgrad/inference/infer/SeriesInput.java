package org.fleetgrad.inference.infer;

import java.util.List;
import org.fleetgrad.datasets.SeriesSchema;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.SampleMemory;
import org.jspecify.annotations.Nullable;

/** The one input of a network for series: their values in the units of the training samples, which are standardized here. */
final class SeriesInput {

    private static final List<Datatype> TYPES = List.of(Datatype.FP32, Datatype.FP64, Datatype.INT64, Datatype.INT32);

    private SeriesInput() {}

    /** Reads series of [count, channels, length]; of one channel also [count, length]. */
    static Images read(List<InferInput> inputs, SeriesSchema series, int most, SampleMemory.Lease memory) {
        InferInput input = InferInput.only(inputs, InferInput.WHOLE);
        Datatype type = TensorValues.type(input, TYPES);
        TensorValues.requireData(input);
        long channels = series.channels().size();
        long length = series.length();
        List<Long> shape = input.shape();
        boolean isSeries = (shape.size() == 3 && shape.get(1) == channels && shape.get(2) == length)
                || (shape.size() == 2 && channels == 1 && shape.get(1) == length);
        if (!isSeries) {
            throw InferReader.malformed("the input '%s' has the shape %s; the model takes [count, %d, %d]%s"
                    .formatted(
                            InferInput.WHOLE,
                            shape,
                            channels,
                            length,
                            channels == 1 ? ", or [count, %d]".formatted(length) : ""));
        }
        float[] values = memory.floats(input.count(most), series.width());
        TensorValues.read(
                input, type, values.length, (index, value) -> values[index] = standardized(series, index, value));
        return Images.ofRows(series, values, List.of());
    }

    private static float standardized(SeriesSchema series, int index, @Nullable Object value) {
        int channel = index % series.width() / series.length();
        float standardized =
                value == null ? Float.NaN : series.channels().get(channel).standardized(TensorValues.wide(value));
        if (!Float.isFinite(standardized)) {
            throw InferReader.malformed(
                    "value %d of the input '%s' must be a number near those of the training samples; it is %s"
                            .formatted(index, InferInput.WHOLE, value == null ? "missing" : value));
        }
        return standardized;
    }
}
