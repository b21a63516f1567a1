package org.fleetgrad.libtorch;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.fleetgrad.libtorch.Steps.Step;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.PaddedAttention;
import org.fleetgrad.networks.layer.QueryKeyValue;
import org.fleetgrad.networks.layer.SelfAttention;

/** Compiles the layers of attention to {@link Step steps}: batches are [count, tokens, width]. */
final class AttentionSteps {

    private AttentionSteps() {}

    /**
     * Compiles a layer.
     *
     * @param name  of the layer, from which the seed of its masks is made
     * @param place the index of each of its tensors
     * @return empty if it is no layer of attention
     */
    static Optional<Step> of(Layer layer, String name, ToIntFunction<String> place) {
        if (layer instanceof SelfAttention attention) {
            return Optional.of(attention(attention, name));
        } else if (layer instanceof PaddedAttention attention) {
            return Optional.of(attention(attention, name));
        }
        return layer instanceof QueryKeyValue ? Optional.of(queryKeyValue(place)) : Optional.empty();
    }

    private static Step queryKeyValue(ToIntFunction<String> place) {
        int parts = QueryKeyValue.PARTS.size();
        int[] weights = new int[parts];
        int[] biases = new int[parts];
        for (int i = 0; i < parts; i++) {
            weights[i] = place.applyAsInt(QueryKeyValue.PARTS.get(i) + ".weight");
            biases[i] = place.applyAsInt(QueryKeyValue.PARTS.get(i) + ".bias");
        }
        return (x, pass) -> {
            PtNDArray[] outputs = new PtNDArray[parts];
            for (int i = 0; i < parts; i++) {
                outputs[i] = JniUtils.linear(x, pass.tensors()[weights[i]], pass.tensors()[biases[i]]);
            }
            PtNDArray together = JniUtils.cat(outputs, 2);
            for (PtNDArray output : outputs) {
                output.close();
            }
            return together;
        };
    }

    private static Step attention(PaddedAttention attention, String name) {
        int heads = attention.heads();
        DropoutMask mask = new DropoutMask(name, attention.dropout(), false);
        return (x, pass) -> {
            long[] shape = x.getShape().getShape();
            long[] byHead = {shape[0], shape[1], 3, heads, shape[2] / 3 / heads};
            try (PtNDArray parts = JniUtils.reshape(x, byHead);
                    PtNDArray padding = (PtNDArray) x.getManager().create((float) attention.padding())) {
                if (attention.dropout() == 0 || !pass.isTraining()) {
                    return Operator.PADDED_ATTENTION.run(parts, pass.input(), padding);
                }
                Shape weights = new Shape(shape[0], heads, shape[1], shape[1]);
                PtNDArray drawn = mask.draw(x, weights, pass.dropoutSeed());
                return Operator.PADDED_ATTENTION_DROPPED.run(parts, pass.input(), padding, drawn);
            }
        };
    }

    private static Step attention(SelfAttention attention, String name) {
        Operator whole = attention.isCausal() ? Operator.CAUSAL_ATTENTION : Operator.FULL_ATTENTION;
        Operator dropped = attention.isCausal() ? Operator.CAUSAL_ATTENTION_DROPPED : Operator.FULL_ATTENTION_DROPPED;
        int heads = attention.heads();
        DropoutMask mask = new DropoutMask(name, attention.dropout(), false);
        return (x, pass) -> {
            long[] shape = x.getShape().getShape();
            long[] byHead = {shape[0], shape[1], 3, heads, shape[2] / 3 / heads};
            try (PtNDArray parts = JniUtils.reshape(x, byHead)) {
                if (attention.dropout() == 0 || !pass.isTraining()) {
                    return whole.run(parts);
                }
                Shape weights = new Shape(shape[0], heads, shape[1], shape[1]);
                return dropped.run(parts, mask.draw(x, weights, pass.dropoutSeed()));
            }
        };
    }
}
