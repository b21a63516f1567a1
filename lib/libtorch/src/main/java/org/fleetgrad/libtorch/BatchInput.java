package org.fleetgrad.libtorch;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.ndarray.types.SparseFormat;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.fleetgrad.networks.NetworkSpec;
import org.jspecify.annotations.Nullable;

/** The buffer through which images reach libtorch. Each network or reader has its own. Not thread-safe. */
final class BatchInput {

    private final NetworkSpec spec;
    private final Device device;
    private @Nullable ByteBuffer images;

    BatchInput(NetworkSpec spec, Device device) {
        this.spec = spec;
        this.device = device;
    }

    /**
     * Checks the size of a batch.
     *
     * @throws IllegalArgumentException if it is wrong; the message has all numbers
     */
    void require(float[] batch, int count) {
        long values = (long) count * spec.inputSize();
        if (count < 1 || batch.length < values) {
            throw new IllegalArgumentException("a batch of %d images of %s takes %d values; there are %d"
                    .formatted(count, spec.inputShape(), values, batch.length));
        }
        if (values * Float.BYTES > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a batch of %d images of %s takes %d bytes; %d are the most"
                    .formatted(count, spec.inputShape(), values * Float.BYTES, Integer.MAX_VALUE));
        }
    }

    /** Makes an array of images whose number {@link #require} has checked; the next call overwrites it. */
    PtNDArray array(PtNDManager scope, float[] batch, int count) {
        int size = count * spec.inputSize();
        ByteBuffer buffer = images;
        if (buffer == null || buffer.capacity() < size * Float.BYTES) {
            buffer = ByteBuffer.allocateDirect(size * Float.BYTES).order(ByteOrder.nativeOrder());
            images = buffer;
        }
        buffer.clear().limit(size * Float.BYTES);
        buffer.asFloatBuffer().put(batch, 0, size);
        Shape shape = new Shape(
                count,
                spec.inputShape().get(0),
                spec.inputShape().get(1),
                spec.inputShape().get(2));
        return JniUtils.createNdFromByteBuffer(scope, buffer, shape, DataType.FLOAT32, SparseFormat.DENSE, device);
    }
}
