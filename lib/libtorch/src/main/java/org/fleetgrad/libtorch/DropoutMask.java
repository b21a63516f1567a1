package org.fleetgrad.libtorch;

import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.IValue;
import java.nio.FloatBuffer;
import java.util.SplittableRandom;

/**
 * The masks of one dropout layer: 0 with a probability p, else 1 / (1 - p). They are drawn here and not by libtorch, whose
 * generator is global: two networks in one process would draw from one sequence.
 *
 * @param layer         its name, which is part of the seed
 * @param probability   of a 0
 * @param isForChannels whether one draw is for a complete channel
 */
record DropoutMask(String layer, float probability, boolean isForChannels) {

    /** Draws a mask for a batch. It belongs to the batch's manager: the backward pass reads its memory. */
    PtNDArray draw(PtNDArray batch, long seed) {
        // The array is the shape's own, and the batch keeps the shape.
        long[] shape = batch.getShape().getShape().clone();
        if (isForChannels) {
            shape[2] = 1;
            shape[3] = 1;
        }
        return draw(batch, new Shape(shape), seed);
    }

    /** Draws a mask of a shape, on a batch's device and in its manager. */
    PtNDArray draw(PtNDArray batch, Shape ofMask, long seed) {
        PtNDManager manager = batch.getManager();
        if (!batch.getDevice().isGpu()) {
            // In libtorch's memory at once: a buffer of Java's would wait for the garbage collector.
            PtNDArray mask = manager.create(ofMask, DataType.FLOAT32);
            fill(NativeTensors.values(mask), seed);
            return mask;
        }
        return drawOnDevice(batch, ofMask, seed);
    }

    /** Draws the same mask, to the bit, on the batch's device: nothing is copied to it. */
    PtNDArray drawOnDevice(PtNDArray batch, Shape ofMask, long seed) {
        try (IValue like = IValue.from(batch);
                IValue shape = IValue.listFrom(ofMask.getShape());
                IValue start = IValue.from(start(seed));
                IValue limit = IValue.from((long) limit());
                IValue kept = IValue.from((double) kept());
                IValue mask = Operator.DROPOUT_MASK.run(like, shape, start, limit, kept)) {
            return mask.toTensor(batch.getManager());
        }
    }

    private long start(long seed) {
        return seed * 0x9E3779B97F4A7C15L + layer.hashCode();
    }

    /** An integer below 2^24 is exact in float32, and so is the comparison. */
    private int limit() {
        return Math.round(probability * (1 << 24));
    }

    private float kept() {
        return 1 / (1 - probability);
    }

    private void fill(FloatBuffer mask, long seed) {
        SplittableRandom random = new SplittableRandom(start(seed));
        float kept = kept();
        int limit = limit();
        while (mask.hasRemaining()) {
            mask.put((random.nextInt() >>> 8) < limit ? 0 : kept);
        }
    }
}
