package org.fleetgrad.networks.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Operators with tensors of their own: layers. */
public sealed interface Weighted extends Operation {

    /**
     * A convolution over the last one or two dimensions.
     *
     * @param weight   [out, in / groups, kernel...]
     * @param bias     [out]
     * @param stride   for each dimension of the kernel, as are padding and dilation
     * @param groups   into which the channels are divided
     */
    record Convolution(
            String weight,
            Optional<String> bias,
            List<Integer> stride,
            List<Integer> padding,
            List<Integer> dilation,
            int groups)
            implements Weighted {

        @Override
        public List<String> tensors() {
            return Stream.concat(Stream.of(weight), bias.stream()).toList();
        }

        @Override
        public List<Long> output(OperandShapes shapes) {
            List<Long> kernel = shapes.tensor(weight);
            int sides = kernel.size() - 2;
            OperandShapes.require(
                    (sides == 1 || sides == 2)
                            && stride.size() == sides
                            && padding.size() == sides
                            && dilation.size() == sides,
                    "a convolution with the weight %s needs 1 or 2 strides, paddings and dilations; they are %s, %s, %s",
                    kernel,
                    stride,
                    padding,
                    dilation);
            List<Long> input = shapes.input(sides + 2, sides + 2);
            long out = kernel.get(0);
            OperandShapes.require(
                    out % groups == 0 && input.get(1) == kernel.get(1) * groups,
                    "a convolution of %d groups with the weight %s cannot take %s",
                    groups,
                    kernel,
                    input);
            if (bias.isPresent()) {
                shapes.requireTensor(bias.get(), List.of(out));
            }
            List<Long> output = new ArrayList<>(List.of(input.get(0), out));
            for (int i = 0; i < sides; i++) {
                long window = dilation.get(i) * (kernel.get(i + 2) - 1) + 1;
                output.add(Pooling.places(input.get(i + 2), window, stride.get(i), padding.get(i), false, input));
            }
            return output;
        }
    }

    /**
     * Batch normalization over the second dimension, the channels.
     *
     * @param mean     running mean, a state
     * @param variance running variance, a state
     * @param momentum share of one batch in the running statistics
     * @param epsilon  is added to the variance
     */
    record BatchNorm(String weight, String bias, String mean, String variance, float momentum, double epsilon)
            implements Weighted {

        @Override
        public List<String> tensors() {
            return List.of(weight, bias, mean, variance);
        }

        @Override
        public List<Long> output(OperandShapes shapes) {
            List<Long> input = shapes.input(2, 4);
            tensors().forEach(tensor -> shapes.requireTensor(tensor, List.of(input.get(1))));
            return input;
        }
    }

    /**
     * Layer normalization over the last dimension; without weight and bias if they are absent, both together.
     *
     * @param width of that dimension
     */
    record LayerNorm(Optional<String> weight, Optional<String> bias, int width, double epsilon) implements Weighted {

        public LayerNorm {
            OperandShapes.require(
                    weight.isPresent() == bias.isPresent(),
                    "a layer norm has a weight and a bias, or neither; it has %s and %s",
                    weight.orElse("none"),
                    bias.orElse("none"));
        }

        @Override
        public List<String> tensors() {
            return Stream.concat(weight.stream(), bias.stream()).toList();
        }

        @Override
        public List<Long> output(OperandShapes shapes) {
            List<Long> input = shapes.input(1, OperandShapes.MOST_DIMENSIONS);
            OperandShapes.require(
                    input.get(input.size() - 1) == width, "a layer norm of the width %d cannot take %s", width, input);
            tensors().forEach(tensor -> shapes.requireTensor(tensor, List.of((long) width)));
            return input;
        }
    }

    /**
     * Group normalization (Y. Wu, K. He 2018): the mean and variance are those of a sample's group of channels.
     *
     * @param groups into which the channels are divided
     */
    record GroupNorm(String weight, String bias, int groups, double epsilon) implements Weighted {

        @Override
        public List<String> tensors() {
            return List.of(weight, bias);
        }

        @Override
        public List<Long> output(OperandShapes shapes) {
            List<Long> input = shapes.input(2, OperandShapes.MOST_DIMENSIONS);
            OperandShapes.require(
                    input.get(1) % groups == 0, "a group norm of %d groups cannot take %s", groups, input);
            tensors().forEach(tensor -> shapes.requireTensor(tensor, List.of(input.get(1))));
            return input;
        }
    }

    /**
     * A linear layer over the last dimension.
     *
     * @param weight [out, in]
     * @param bias   [out]
     */
    record Linear(String weight, Optional<String> bias) implements Weighted {

        @Override
        public List<String> tensors() {
            return Stream.concat(Stream.of(weight), bias.stream()).toList();
        }

        @Override
        public List<Long> output(OperandShapes shapes) {
            List<Long> matrix = shapes.tensor(weight);
            List<Long> input = shapes.input(1, OperandShapes.MOST_DIMENSIONS);
            int last = input.size() - 1;
            OperandShapes.require(
                    matrix.size() == 2 && input.get(last).equals(matrix.get(1)),
                    "a linear layer with the weight %s cannot take %s",
                    matrix,
                    input);
            if (bias.isPresent()) {
                shapes.requireTensor(bias.get(), List.of(matrix.get(0)));
            }
            List<Long> output = new ArrayList<>(input);
            output.set(last, matrix.get(0));
            return output;
        }
    }
}
