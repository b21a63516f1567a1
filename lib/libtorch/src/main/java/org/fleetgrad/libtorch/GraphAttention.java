package org.fleetgrad.libtorch;

import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import org.fleetgrad.networks.graph.Mixing.Attention;
import org.jspecify.annotations.Nullable;

/** Computes the attention of graphs: libtorch's fused one, or, with masks of a dropout, its parts. */
final class GraphAttention {

    private GraphAttention() {}

    /**
     * Computes it.
     *
     * @param x    queries, keys, values, and maybe a mask that is added
     * @param drawn what the weights are multiplied with; null if nothing is dropped
     */
    static PtNDArray run(PtNDArray[] x, Attention attention, @Nullable PtNDArray drawn) {
        if (drawn != null) {
            return parts(x, attention, drawn);
        }
        long width = x[0].getShape().get(x[0].getShape().dimension() - 1);
        double factor = attention.scale() * Math.sqrt((double) width);
        // The fused one divides by the root of the width.
        if (Math.abs(factor - 1) < 1e-6) {
            return fused(x[0], x, attention.isCausal());
        }
        try (PtNDArray queries = ElementwiseSteps.withNumber(x[0], factor, JniUtils::mul)) {
            return fused(queries, x, attention.isCausal());
        }
    }

    private static PtNDArray fused(PtNDArray queries, PtNDArray[] x, boolean isCausal) {
        if (x.length > 3) {
            return Operator.ATTENTION_MASKED.run(queries, x[1], x[2], x[3]);
        }
        return (isCausal ? Operator.ATTENTION_CAUSAL : Operator.ATTENTION).run(queries, x[1], x[2]);
    }

    private static PtNDArray parts(PtNDArray[] x, Attention attention, PtNDArray drawn) {
        int dimensions = x[1].getShape().dimension();
        try (PtNDArray keys = JniUtils.transpose(x[1], dimensions - 2L, dimensions - 1L);
                PtNDArray products = JniUtils.matmul(x[0], keys);
                PtNDArray scaled = ElementwiseSteps.withNumber(products, attention.scale(), JniUtils::mul);
                PtNDArray seen = masked(scaled, x, attention.isCausal());
                PtNDArray weights = JniUtils.softmax(seen, dimensions - 1L, DataType.FLOAT32);
                PtNDArray kept = JniUtils.mul(weights, drawn)) {
            return JniUtils.matmul(kept, x[2]);
        }
    }

    private static PtNDArray masked(PtNDArray scaled, PtNDArray[] x, boolean isCausal) {
        if (x.length > 3) {
            return JniUtils.add(scaled, x[3]);
        }
        long[] shape = scaled.getShape().getShape();
        if (!isCausal) {
            return JniUtils.reshape(scaled, shape);
        }
        int queries = (int) shape[shape.length - 2];
        int keys = (int) shape[shape.length - 1];
        float[] later = new float[queries * keys];
        for (int i = 0; i < queries; i++) {
            java.util.Arrays.fill(later, i * keys + Math.min(i + 1, keys), (i + 1) * keys, Float.NEGATIVE_INFINITY);
        }
        try (PtNDArray mask = (PtNDArray) scaled.getManager().create(later, new Shape(queries, keys))) {
            return JniUtils.add(scaled, mask);
        }
    }
}
