package org.fleetgrad.libtorch;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.util.Arrays;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.fleetgrad.libtorch.GraphSteps.NodeStep;
import org.fleetgrad.networks.graph.Elementwise;
import org.fleetgrad.networks.graph.Elementwise.Arithmetic;
import org.fleetgrad.networks.graph.Elementwise.Clamp;
import org.fleetgrad.networks.graph.Elementwise.Dropout;
import org.fleetgrad.networks.graph.Elementwise.Dropped;
import org.fleetgrad.networks.graph.Elementwise.Elu;
import org.fleetgrad.networks.graph.Elementwise.Function;
import org.fleetgrad.networks.graph.Elementwise.LeakyRelu;
import org.fleetgrad.networks.graph.Elementwise.Unary;

/** Compiles the operators of a graph that compute each value by itself. */
final class ElementwiseSteps {

    private ElementwiseSteps() {}

    static NodeStep of(Elementwise operation) {
        // Java 17 has no switch over types.
        if (operation instanceof Unary unary) {
            UnaryOperator<PtNDArray> function = function(unary.function());
            return (x, pass) -> function.apply(x[0]);
        } else if (operation instanceof Arithmetic arithmetic) {
            BinaryOperator<PtNDArray> function = function(arithmetic.kind());
            return arithmetic.scalar().isPresent()
                    ? (x, pass) -> withNumber(x[0], arithmetic.scalar().getAsDouble(), function)
                    : (x, pass) -> function.apply(x[0], x[1]);
        } else if (operation instanceof Clamp clamp) {
            double least = clamp.least().orElse(Double.NEGATIVE_INFINITY);
            double most = clamp.most().orElse(Double.POSITIVE_INFINITY);
            return (x, pass) -> JniUtils.clip(x[0], least, most);
        } else if (operation instanceof LeakyRelu leaky) {
            return (x, pass) -> JniUtils.leakyRelu(x[0], leaky.slope());
        } else if (operation instanceof Elu elu) {
            return (x, pass) -> JniUtils.elu(x[0], elu.alpha());
        }
        return dropout((Dropout) operation);
    }

    private static UnaryOperator<PtNDArray> function(Function function) {
        return switch (function) {
            case ABS -> JniUtils::abs;
            case COS -> JniUtils::cos;
            case ERF -> JniUtils::erf;
            case EXP -> JniUtils::exp;
            case GELU -> JniUtils::gelu;
            case GELU_TANH -> Operator.GELU_TANH::run;
            case HARDSIGMOID -> Operator.HARDSIGMOID::run;
            case HARDSWISH -> Operator.HARDSWISH::run;
            case LOG -> JniUtils::log;
            case MISH -> Operator.MISH::run;
            case NEG -> JniUtils::neg;
            case RELU -> JniUtils::relu;
            case RSQRT -> x -> withNumber(x, -0.5, JniUtils::pow);
            case SELU -> JniUtils::selu;
            case SIGMOID -> JniUtils::sigmoid;
            case SILU -> Operator.SILU::run;
            case SIN -> JniUtils::sin;
            case SOFTPLUS -> JniUtils::softPlus;
            case SQRT -> JniUtils::sqrt;
            case TANH -> JniUtils::tanh;
        };
    }

    private static BinaryOperator<PtNDArray> function(Elementwise.Kind kind) {
        return switch (kind) {
            case ADD -> JniUtils::add;
            case DIV -> JniUtils::div;
            case MAXIMUM -> JniUtils::max;
            case MINIMUM -> JniUtils::min;
            case MUL -> JniUtils::mul;
            case POW -> JniUtils::pow;
            case SUB -> JniUtils::sub;
        };
    }

    /** Computes with a number as the second operand. */
    static PtNDArray withNumber(PtNDArray x, double number, BinaryOperator<PtNDArray> function) {
        try (PtNDArray operand = (PtNDArray) x.getManager().create((float) number)) {
            return function.apply(x, operand);
        }
    }

    private static NodeStep dropout(Dropout dropout) {
        DropoutMask mask = new DropoutMask(dropout.name(), dropout.probability(), false);
        return (x, pass) -> {
            if (!pass.isTraining()) {
                // Another handle of the same memory, so that each value is closed once.
                return JniUtils.reshape(x[0], x[0].getShape().getShape());
            }
            long[] shape = x[0].getShape().getShape().clone();
            if (dropout.of() != Dropped.VALUES) {
                Arrays.fill(shape, dropout.of() == Dropped.CHANNELS ? 2 : 1, shape.length, 1);
            }
            return JniUtils.mul(x[0], mask.draw(x[0], new Shape(shape), pass.dropoutSeed()));
        };
    }
}
