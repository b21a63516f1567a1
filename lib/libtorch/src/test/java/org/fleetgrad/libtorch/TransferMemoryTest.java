package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On the processor, where the memory is not page-locked and a copy is over at once; the values and their places are the same. */
class TransferMemoryTest {

    @Test
    void shouldCopyTheFirstValuesInTheShapeOfTheArray() {
        try (PtNDManager manager = manager();
                TransferMemory memory = new TransferMemory(manager, 8)) {
            PtNDArray target = (PtNDArray) manager.zeros(new Shape(2, 3), DataType.FLOAT32);

            memory.values().put(new float[] {1, 2, 3, 4, 5, 6, 7, 8});
            memory.copyInto(target);

            assertThat(target.toFloatArray()).containsExactly(1, 2, 3, 4, 5, 6);
            memory.values().put(0, 9);
            assertThat(target.toFloatArray()).as("a copy, and no view").startsWith(1);
        }
    }

    /** A gradient may be transposed in memory: its values are in the order of its indices. */
    @Test
    void shouldCopyArraysOneBehindTheOther() {
        try (PtNDManager manager = manager();
                TransferMemory memory = new TransferMemory(manager, 9)) {
            PtNDArray plain = (PtNDArray) manager.create(new float[] {7, 8});
            PtNDArray rows = (PtNDArray) manager.create(new float[] {1, 2, 3, 4, 5, 6}, new Shape(2, 3));
            PtNDArray transposed = JniUtils.transpose(rows, 0, 1);

            float[] values = new float[8];
            memory.copied(List.of(plain, transposed)).get(values);

            assertThat(values).containsExactly(7, 8, 1, 4, 2, 5, 3, 6);
        }
    }

    private static PtNDManager manager() {
        return (PtNDManager) Libtorch.engine().newBaseManager(ai.djl.Device.cpu());
    }
}
