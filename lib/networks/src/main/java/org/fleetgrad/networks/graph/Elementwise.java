package org.fleetgrad.networks.graph;

import java.util.List;
import java.util.OptionalDouble;

/** Operators that compute each value by itself. */
public sealed interface Elementwise extends Operation {

    @Override
    default List<Long> output(OperandShapes shapes) {
        return shapes.input(0);
    }

    /** A function of one value. */
    enum Function {
        ABS,
        COS,
        ERF,
        EXP,
        GELU,
        GELU_TANH,
        HARDSIGMOID,
        HARDSWISH,
        LOG,
        MISH,
        NEG,
        RELU,
        RSQRT,
        SELU,
        SIGMOID,
        SILU,
        SIN,
        SOFTPLUS,
        SQRT,
        TANH
    }

    /** A function of two values. */
    enum Kind {
        ADD,
        DIV,
        MAXIMUM,
        MINIMUM,
        MUL,
        SUB,
        POW
    }

    /** Applies a function to each value. */
    record Unary(Function function) implements Elementwise {}

    /** Keeps each value within bounds, of which one may be absent. */
    record Clamp(OptionalDouble least, OptionalDouble most) implements Elementwise {}

    /** A value where it is positive, and {@code slope} times the value where it is negative. */
    record LeakyRelu(double slope) implements Elementwise {}

    /** A value where it is positive, and {@code alpha (exp(value) - 1)} where it is negative. */
    record Elu(double alpha) implements Elementwise {}

    /**
     * Computes with two operands, of which each is repeated where it has a side of 1; or with one and a number.
     *
     * @param scalar the second operand, if it is a number
     */
    record Arithmetic(Kind kind, OptionalDouble scalar) implements Elementwise {

        @Override
        public Operands operands() {
            return scalar.isPresent() ? Operands.ONE : Operands.TWO;
        }

        @Override
        public List<Long> output(OperandShapes shapes) {
            return scalar.isPresent() ? shapes.input(0) : shapes.broadcast();
        }
    }

    /** What a dropout sets to 0 at once. */
    enum Dropped {
        VALUES,
        CHANNELS,
        SAMPLES
    }

    /**
     * In training, sets parts to 0 with a probability and divides the others by the rest of it.
     *
     * @param name        from which the seed of its masks is made
     * @param probability from 0 to below 1
     * @param of          the parts; those of samples are stochastic depth (G. Huang et al. 2016)
     */
    record Dropout(String name, float probability, Dropped of) implements Elementwise {

        @Override
        public List<Long> output(OperandShapes shapes) {
            List<Long> input = shapes.input(of == Dropped.CHANNELS ? 4 : 1, OperandShapes.MOST_DIMENSIONS);
            OperandShapes.require(
                    of != Dropped.CHANNELS || input.size() == 4, "a dropout of channels cannot take %s", input);
            return input;
        }
    }
}
