package org.fleetgrad.networks.graph;

import java.util.ArrayList;
import java.util.List;

/** Operators without tensors of their own that mix values: products, softmax, attention. */
public sealed interface Mixing extends Operation {

    /** The product of matrices in the last two dimensions; dimensions before them are repeated where they are 1. */
    record MatMul() implements Mixing {

        @Override
        public Operands operands() {
            return Operands.TWO;
        }

        @Override
        public List<Long> output(OperandShapes shapes) {
            List<Long> a = shapes.input(0);
            List<Long> b = shapes.input(1);
            OperandShapes.require(
                    a.size() >= 2 && b.size() >= 2 && a.get(a.size() - 1).equals(b.get(b.size() - 2)),
                    "a product of matrices cannot take %s and %s",
                    a,
                    b);
            List<Long> output = new ArrayList<>(new OperandShapes(
                            List.of(a.subList(0, a.size() - 2), b.subList(0, b.size() - 2)), shapes.tensors(), 1)
                    .broadcast());
            output.add(a.get(a.size() - 2));
            output.add(b.get(b.size() - 1));
            return output;
        }
    }

    /**
     * The softmax along a dimension.
     *
     * @param isLogarithm whether its logarithm is meant
     */
    record Softmax(int dimension, boolean isLogarithm) implements Mixing {

        @Override
        public List<Long> output(OperandShapes shapes) {
            OperandShapes.requireDimension(dimension, shapes.input(0));
            return shapes.input(0);
        }
    }

    /**
     * {@code scaled_dot_product_attention} of queries, keys and values, [..., tokens, width], and maybe a mask that is added to the
     * products.
     *
     * @param name     from which the seed of its masks is made
     * @param scale    of the products
     * @param isCausal whether a query sees no later key
     * @param dropout  probability with which a weight is 0 in training
     */
    record Attention(String name, double scale, boolean isCausal, float dropout) implements Mixing {

        @Override
        public Operands operands() {
            return new Operands(3, 4);
        }

        @Override
        public List<Long> output(OperandShapes shapes) {
            List<Long> q = shapes.input(0);
            List<Long> k = shapes.input(1);
            List<Long> v = shapes.input(2);
            int size = q.size();
            OperandShapes.require(
                    size >= 3
                            && k.size() == size
                            && v.size() == size
                            && q.subList(0, size - 2).equals(k.subList(0, size - 2))
                            && k.subList(0, size - 1).equals(v.subList(0, size - 1))
                            && q.get(size - 1).equals(k.get(size - 1)),
                    "attention cannot take queries %s, keys %s and values %s",
                    q,
                    k,
                    v);
            OperandShapes.require(
                    !(isCausal && shapes.inputs().size() == 4), "attention is causal or has a mask, not both");
            List<Long> weights = new ArrayList<>(q);
            weights.set(size - 1, k.get(size - 2));
            if (shapes.inputs().size() == 4) {
                List<Long> together =
                        new OperandShapes(List.of(weights, shapes.input(3)), shapes.tensors(), 1).broadcast();
                OperandShapes.require(
                        together.equals(weights), "the mask %s does not fit the products %s", shapes.input(3), weights);
            }
            List<Long> output = new ArrayList<>(q);
            output.set(size - 1, v.get(size - 1));
            return output;
        }
    }
}
