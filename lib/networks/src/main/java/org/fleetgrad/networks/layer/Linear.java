package org.fleetgrad.networks.layer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A linear layer of the last dimension, with the tensors that its form has.
 *
 * @param in     features in
 * @param out    features out
 * @param weight initial values of the weight
 * @param bias   initial values of the bias [out]; empty for none
 * @param form   names and order of the tensors
 */
public record Linear(int in, int out, InitialValues weight, Optional<InitialValues> bias, Form form) implements Layer {

    public Linear {
        Shapes.requirePositive("a linear layer", in, out);
    }

    /** Names of the tensors, and the order of the weight's dimensions. */
    public enum Form {
        /** PyTorch's {@code Linear}: {@code weight} [out, in] and {@code bias}. */
        LINEAR("weight", "bias"),
        /** GPT-2's {@code Conv1D}: {@code weight} [in, out] and {@code bias}. */
        CONV1D("weight", "bias"),
        /** The first layer of PyTorch's {@code MultiheadAttention}: {@code in_proj_weight} [out, in], {@code in_proj_bias}. */
        IN_PROJECTION("in_proj_weight", "in_proj_bias");

        private final String weightName;
        private final String biasName;

        Form(String weightName, String biasName) {
            this.weightName = weightName;
            this.biasName = biasName;
        }

        /** Returns the name of the weight. */
        public String weightName() {
            return weightName;
        }

        /** Returns the name of the bias. */
        public String biasName() {
            return biasName;
        }
    }

    /** Makes PyTorch's {@code Linear(in, out)} with other initial values. */
    public Linear(int in, int out, InitialValues weight, InitialValues bias) {
        this(in, out, weight, Optional.of(bias), Form.LINEAR);
    }

    /** PyTorch's {@code Linear(in, out)}, with its default initial values. */
    public static Linear standard(int in, int out) {
        return new Linear(in, out, InitialValues.fanInUniform(in), InitialValues.fanInUniform(in));
    }

    @Override
    public List<LayerTensor> tensors() {
        List<LayerTensor> tensors = new ArrayList<>();
        tensors.add(
                form == Form.CONV1D
                        ? LayerTensor.trainable(form.weightName(), weight, in, out)
                        : LayerTensor.trainable(form.weightName(), weight, out, in));
        bias.ifPresent(values -> tensors.add(LayerTensor.trainable(form.biasName(), values, out)));
        return tensors;
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        return Shapes.features("a linear layer", in, out, input);
    }
}
