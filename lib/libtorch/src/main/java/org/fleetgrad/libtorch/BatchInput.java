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
import java.nio.FloatBuffer;
import java.util.List;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.TextClassification;
import org.jspecify.annotations.Nullable;

/** The buffer through which samples reach libtorch. Each network or reader has its own. Not thread-safe. */
final class BatchInput {

    private final NetworkSpec spec;
    private final PtNDManager owner;
    private final boolean isAsOnGpu;
    private @Nullable ByteBuffer images;
    private @Nullable TransferMemory transfer;

    /**
     * @param owner     on the device that computes
     * @param isAsOnGpu whether that is a GPU, or samples reach it as they would reach a GPU
     */
    BatchInput(NetworkSpec spec, PtNDManager owner, boolean isAsOnGpu) {
        this.spec = spec;
        this.owner = owner;
        this.isAsOnGpu = isAsOnGpu;
    }

    /**
     * Checks the size of a batch.
     *
     * @throws IllegalArgumentException if it is wrong; the message has all numbers
     */
    void require(float[] batch, int count) {
        long values = (long) count * spec.inputSize();
        String samples = spec.task().samples();
        if (count < 1 || batch.length < values) {
            throw new IllegalArgumentException(
                    "a batch of %d %s takes %d values; there are %d".formatted(count, samples, values, batch.length));
        }
        if (values * Float.BYTES > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a batch of %d %s takes %d bytes; %d are the most"
                    .formatted(count, samples, values * Float.BYTES, Integer.MAX_VALUE));
        }
        requireIndices(FloatBuffer.wrap(batch, 0, (int) values), spec.task());
        if (spec.task() instanceof TextClassification text) {
            requireBeginnings(batch, count, text);
        }
    }

    /** Attention to nothing but padding would be no numbers. */
    private static void requireBeginnings(float[] batch, int count, TextClassification text) {
        for (int sample = 0; sample < count; sample++) {
            if (batch[sample * text.context()] == text.padding()) {
                throw new IllegalArgumentException(
                        "sample %d of a batch begins with padding, the token %d".formatted(sample, text.padding()));
            }
        }
    }

    /**
     * Checks the tokens of texts and the categories of rows: libtorch would read beyond the embedding's rows. Other samples are not looked
     * at.
     *
     * @throws IllegalArgumentException if one is not in the vocabulary, or no value of its category
     */
    static void requireIndices(FloatBuffer samples, Task task) {
        if (task instanceof TableTask table) {
            requireCategories(samples, table);
        }
        if (task.tokens().isPresent()) {
            int vocabulary = task.tokens().getAsInt();
            for (int i = samples.position(); i < samples.limit(); i++) {
                float token = samples.get(i);
                if (!(token >= 0 && token < vocabulary)) {
                    throw new IllegalArgumentException(
                            "token %d of a batch is %s; the network's vocabulary has the tokens 0 to %d"
                                    .formatted(i, token, vocabulary - 1));
                }
            }
        }
    }

    private static void requireCategories(FloatBuffer rows, TableTask table) {
        int width = table.inputSize();
        int from = rows.position();
        int count = rows.remaining() / width;
        for (int row = 0; row < count; row++) {
            for (int i = 0; i < table.categories().size(); i++) {
                float value = rows.get(from + row * width + table.numbers() + i);
                if (!(value >= 0 && value < table.categories().get(i))) {
                    throw new IllegalArgumentException(
                            "category %d of row %d of a batch is %s; it has the values 0 to %d"
                                    .formatted(i, row, value, table.categories().get(i) - 1));
                }
            }
        }
    }

    /** Makes an array of samples whose number {@link #require} has checked; the next call overwrites it. */
    PtNDArray array(PtNDManager scope, float[] batch, int count) {
        int size = count * spec.inputSize();
        Shape shape = shape(count);
        return isAsOnGpu ? onGpu(scope, batch, size, shape) : onProcessor(scope, batch, size, shape);
    }

    private PtNDArray onGpu(PtNDManager scope, float[] batch, int size, Shape shape) {
        TransferMemory memory = transfer;
        if (memory == null || memory.capacity() < size) {
            if (memory != null) {
                memory.close();
            }
            memory = new TransferMemory(owner, size);
            transfer = memory;
        }
        memory.values().put(batch, 0, size);
        PtNDArray array = scope.create(shape, DataType.FLOAT32);
        memory.copyInto(array);
        return array;
    }

    private PtNDArray onProcessor(PtNDManager scope, float[] batch, int size, Shape shape) {
        ByteBuffer buffer = images;
        if (buffer == null || buffer.capacity() < size * Float.BYTES) {
            buffer = ByteBuffer.allocateDirect(size * Float.BYTES).order(ByteOrder.nativeOrder());
            images = buffer;
        }
        buffer.clear().limit(size * Float.BYTES);
        buffer.asFloatBuffer().put(batch, 0, size);
        return JniUtils.createNdFromByteBuffer(
                scope, buffer, shape, DataType.FLOAT32, SparseFormat.DENSE, Device.cpu());
    }

    private Shape shape(int count) {
        List<Integer> sample = spec.inputShape();
        long[] shape = new long[sample.size() + 1];
        shape[0] = count;
        for (int i = 0; i < sample.size(); i++) {
            shape[i + 1] = sample.get(i);
        }
        return new Shape(shape);
    }
}
