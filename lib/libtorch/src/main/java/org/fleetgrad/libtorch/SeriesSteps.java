package org.fleetgrad.libtorch;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.fleetgrad.libtorch.Steps.Step;
import org.fleetgrad.networks.layer.Conv1d;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.GlobalAvgPool1d;
import org.fleetgrad.networks.layer.Layer.MaxPool1d;
import org.fleetgrad.networks.layer.Lstm;

/** Compiles layers of series to {@link Step steps}: batches are [count, channels, length]. */
final class SeriesSteps {

    private static final Shape ONE = new Shape(1);
    private static final Shape ZERO = new Shape(0);
    private static final int LENGTH = 2;

    private SeriesSteps() {}

    /**
     * Compiles a layer.
     *
     * @param place the index of each of its tensors
     * @return empty if it is no layer of series
     */
    static Optional<Step> of(Layer layer, ToIntFunction<String> place) {
        if (layer instanceof Conv1d conv) {
            int weight = place.applyAsInt("weight");
            Shape padding = new Shape(conv.padding());
            return Optional.of(
                    (x, pass) -> JniUtils.convolution(x, pass.tensors()[weight], null, ONE, padding, ONE, 1));
        }
        if (layer instanceof MaxPool1d pool) {
            Shape window = new Shape(pool.kernel());
            return Optional.of((x, pass) -> JniUtils.maxPool(x, window, window, ZERO, false));
        }
        if (layer instanceof GlobalAvgPool1d) {
            return Optional.of((x, pass) -> JniUtils.mean(x, LENGTH, false));
        }
        return layer instanceof Lstm lstm ? Optional.of(lstm(lstm, place)) : Optional.empty();
    }

    private static Step lstm(Lstm lstm, ToIntFunction<String> place) {
        int[] weights = lstm.tensors().stream()
                .mapToInt(tensor -> place.applyAsInt(tensor.name()))
                .toArray();
        int layers = lstm.layers();
        return (x, pass) -> {
            NDList tensors = new NDList(weights.length);
            for (int weight : weights) {
                tensors.add(pass.tensors()[weight]);
            }
            Shape begin = new Shape(layers, x.getShape().get(0), lstm.hidden());
            try (PtNDArray places = JniUtils.transpose(x, 1, LENGTH);
                    PtNDArray zeros = (PtNDArray) x.getManager().zeros(begin);
                    // The states of the last layer at all places; each layer's last state; and each layer's last cell.
                    NDList states = JniUtils.lstm(
                            places,
                            new NDList(zeros, zeros),
                            tensors,
                            true,
                            layers,
                            0,
                            pass.isTraining(),
                            false,
                            true);
                    PtNDArray last = JniUtils.slice((PtNDArray) states.get(1), 0, layers - 1L, layers, 1)) {
                return JniUtils.squeeze(last, 0);
            }
        };
    }
}
