package org.fleetgrad.libtorch;

import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.fleetgrad.libtorch.GraphSteps.NodeStep;
import org.fleetgrad.networks.graph.Elementwise;
import org.fleetgrad.networks.graph.Mixing;
import org.fleetgrad.networks.graph.Mixing.Attention;
import org.fleetgrad.networks.graph.Mixing.MatMul;
import org.fleetgrad.networks.graph.Mixing.Softmax;
import org.fleetgrad.networks.graph.Operation;
import org.fleetgrad.networks.graph.Pooling;
import org.fleetgrad.networks.graph.Pooling.Adaptive;
import org.fleetgrad.networks.graph.Pooling.Reduction;
import org.fleetgrad.networks.graph.Pooling.Window;
import org.fleetgrad.networks.graph.Reshaping;
import org.fleetgrad.networks.graph.Weighted;
import org.fleetgrad.networks.graph.Weighted.BatchNorm;
import org.fleetgrad.networks.graph.Weighted.Convolution;
import org.fleetgrad.networks.graph.Weighted.GroupNorm;
import org.fleetgrad.networks.graph.Weighted.LayerNorm;
import org.fleetgrad.networks.graph.Weighted.Linear;

/** Compiles the operators of a graph: layers, products and pooling. */
final class OperationSteps {

    private static final int NONE = -1;

    private OperationSteps() {}

    /**
     * Compiles an operator.
     *
     * @param place the index of each tensor
     */
    static NodeStep of(Operation operation, ToIntFunction<String> place) {
        // Java 17 has no switch over types.
        if (operation instanceof Weighted weighted) {
            return weighted(weighted, place);
        } else if (operation instanceof Pooling pooling) {
            return pooling(pooling);
        } else if (operation instanceof Mixing mixing) {
            return mixing(mixing);
        } else if (operation instanceof Elementwise elementwise) {
            return ElementwiseSteps.of(elementwise);
        }
        return ReshapingSteps.of((Reshaping) operation);
    }

    private static NodeStep weighted(Weighted operation, ToIntFunction<String> place) {
        if (operation instanceof Convolution conv) {
            int weight = place.applyAsInt(conv.weight());
            int bias = place(conv.bias(), place);
            Shape stride = shape(conv.stride());
            Shape padding = shape(conv.padding());
            Shape dilation = shape(conv.dilation());
            return (x, pass) -> JniUtils.convolution(
                    x[0],
                    pass.tensors()[weight],
                    bias == NONE ? null : pass.tensors()[bias],
                    stride,
                    padding,
                    dilation,
                    conv.groups());
        } else if (operation instanceof BatchNorm norm) {
            int weight = place.applyAsInt(norm.weight());
            int bias = place.applyAsInt(norm.bias());
            int mean = place.applyAsInt(norm.mean());
            int variance = place.applyAsInt(norm.variance());
            return (x, pass) -> JniUtils.batchNorm(
                    x[0],
                    pass.tensors()[mean],
                    pass.tensors()[variance],
                    pass.tensors()[weight],
                    pass.tensors()[bias],
                    pass.observes(mean),
                    norm.momentum(),
                    norm.epsilon());
        } else if (operation instanceof LayerNorm norm) {
            int weight = place(norm.weight(), place);
            int bias = place(norm.bias(), place);
            Shape width = new Shape(norm.width());
            return (x, pass) -> weight == NONE
                    ? unweighted(x[0], width, norm.epsilon())
                    : JniUtils.layerNorm(x[0], width, pass.tensors()[weight], pass.tensors()[bias], norm.epsilon());
        } else if (operation instanceof GroupNorm norm) {
            int weight = place.applyAsInt(norm.weight());
            int bias = place.applyAsInt(norm.bias());
            return (x, pass) -> grouped(x[0], norm, pass.tensors()[weight], pass.tensors()[bias]);
        }
        Linear linear = (Linear) operation;
        int weight = place.applyAsInt(linear.weight());
        int bias = place(linear.bias(), place);
        return (x, pass) -> JniUtils.linear(x[0], pass.tensors()[weight], bias == NONE ? null : pass.tensors()[bias]);
    }

    private static int place(Optional<String> tensor, ToIntFunction<String> place) {
        return tensor.isPresent() ? place.applyAsInt(tensor.get()) : NONE;
    }

    private static PtNDArray unweighted(PtNDArray x, Shape width, double epsilon) {
        try (PtNDArray ones = (PtNDArray) x.getManager().ones(width);
                PtNDArray zeros = (PtNDArray) x.getManager().zeros(width)) {
            return JniUtils.layerNorm(x, width, ones, zeros, epsilon);
        }
    }

    /** A layer norm over each group, and then the scale of each channel. */
    private static PtNDArray grouped(PtNDArray x, GroupNorm norm, PtNDArray weight, PtNDArray bias) {
        long[] shape = x.getShape().getShape().clone();
        long size = x.getShape().size() / shape[0] / norm.groups();
        long[] byChannel = new long[shape.length];
        java.util.Arrays.fill(byChannel, 1);
        byChannel[1] = shape[1];
        try (PtNDArray groups = JniUtils.reshape(x, new long[] {shape[0], norm.groups(), size});
                PtNDArray normalized = unweighted(groups, new Shape(size), norm.epsilon());
                PtNDArray back = JniUtils.reshape(normalized, shape);
                PtNDArray scale = JniUtils.reshape(weight, byChannel);
                PtNDArray shift = JniUtils.reshape(bias, byChannel);
                PtNDArray scaled = JniUtils.mul(back, scale)) {
            return JniUtils.add(scaled, shift);
        }
    }

    private static NodeStep pooling(Pooling operation) {
        if (operation instanceof Window window) {
            Shape kernel = shape(window.kernel());
            Shape stride = shape(window.stride());
            Shape padding = shape(window.padding());
            if (!window.isMean()) {
                return (x, pass) -> JniUtils.maxPool(x[0], kernel, stride, padding, window.isCeil());
            }
            boolean isPadded = window.padding().stream().anyMatch(side -> side > 0);
            return window.countsPadding() || !isPadded
                    ? (x, pass) -> JniUtils.avgPool(x[0], kernel, stride, padding, window.isCeil(), true)
                    : (x, pass) -> unpaddedMean(x[0], kernel, stride, padding, window.isCeil());
        } else if (operation instanceof Adaptive adaptive) {
            Shape sides = shape(adaptive.sides());
            return adaptive.isMean()
                    ? (x, pass) -> JniUtils.adaptiveAvgPool(x[0], sides)
                    : (x, pass) -> JniUtils.adaptiveMaxPool(x[0], sides);
        }
        Reduction reduction = (Reduction) operation;
        int[] dimensions =
                reduction.dimensions().stream().mapToInt(Integer::intValue).toArray();
        long[] all = java.util.Arrays.stream(dimensions).asLongStream().toArray();
        boolean isKept = reduction.isKept();
        return switch (reduction.kind()) {
            case SUM -> (x, pass) -> JniUtils.sum(x[0], all, isKept);
            case MEAN ->
                (x, pass) -> {
                    long count = 1;
                    for (int dimension : dimensions) {
                        count *= x[0].getShape().get(dimension);
                    }
                    try (PtNDArray sum = JniUtils.sum(x[0], all, isKept)) {
                        return ElementwiseSteps.withNumber(sum, 1.0 / count, JniUtils::mul);
                    }
                };
            case NORM -> (x, pass) -> JniUtils.norm(x[0], 2, dimensions, isKept);
            case AMAX -> (x, pass) -> greatest(x[0], dimensions, isKept);
        };
    }

    /** Divides by the share of a window that is no padding: DJL counts the padding whatever it is told. */
    private static PtNDArray unpaddedMean(PtNDArray x, Shape kernel, Shape stride, Shape padding, boolean isCeil) {
        long[] shape = x.getShape().getShape().clone();
        shape[0] = 1;
        shape[1] = 1;
        try (PtNDArray ones = (PtNDArray) x.getManager().ones(new Shape(shape));
                PtNDArray share = JniUtils.avgPool(ones, kernel, stride, padding, isCeil, true);
                PtNDArray mean = JniUtils.avgPool(x, kernel, stride, padding, isCeil, true)) {
            return JniUtils.div(mean, share);
        }
    }

    private static PtNDArray greatest(PtNDArray x, int[] dimensions, boolean isKept) {
        PtNDArray greatest = x;
        for (int i = dimensions.length - 1; i >= 0; i--) {
            PtNDArray next = JniUtils.max(greatest, dimensions[i], isKept);
            if (i < dimensions.length - 1) {
                greatest.close();
            }
            greatest = next;
        }
        return greatest;
    }

    private static NodeStep mixing(Mixing operation) {
        if (operation instanceof MatMul) {
            return (x, pass) -> JniUtils.matmul(x[0], x[1]);
        } else if (operation instanceof Softmax softmax) {
            return softmax.isLogarithm()
                    ? (x, pass) -> JniUtils.logSoftmax(x[0], softmax.dimension(), DataType.FLOAT32)
                    : (x, pass) -> JniUtils.softmax(x[0], softmax.dimension(), DataType.FLOAT32);
        }
        return attention((Attention) operation);
    }

    private static NodeStep attention(Attention attention) {
        DropoutMask mask = new DropoutMask(attention.name(), attention.dropout(), false);
        return (x, pass) -> {
            PtNDArray drawn = null;
            if (attention.dropout() > 0 && pass.isTraining()) {
                long[] weights = x[0].getShape().getShape().clone();
                weights[weights.length - 1] = x[1].getShape().get(weights.length - 2);
                drawn = mask.draw(x[0], new Shape(weights), pass.dropoutSeed());
            }
            return GraphAttention.run(x, attention, drawn);
        };
    }

    private static Shape shape(List<Integer> sides) {
        return new Shape(sides.stream().mapToLong(Integer::longValue).toArray());
    }
}
