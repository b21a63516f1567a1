package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.testing.Requirement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A GPU computes what the processor does. docs/gpu.md says how to run this with libtorch for CUDA. */
@Tag("whole")
class GpuTest {

    /** Of TF32, which rounds the inputs of convolutions to 10 bits; with NVIDIA_TF32_OVERRIDE=0 it is a thousandth of that. */
    private static final float TF32 = 1e-2f;

    private static final Device GPU = Device.parse("cuda:0");

    @BeforeEach
    void requireGpu() {
        int count = Libtorch.engine().getGpuCount();
        Requirement.GPU.check(count > 0, GPU.absence(count, Device.isForCuda()).orElse(""));
    }

    /** mnist-cnn has dropout, whose masks have the processor's bits; resnet20 has statistics. */
    @ParameterizedTest
    @ValueSource(strings = {"lenet5", "mnist-cnn", "resnet20"})
    void shouldComputeWhatTheProcessorDoes(String name) {
        NetworkDefinition definition = Networks.usual(name);
        TestBatch batch = TestBatch.random(definition.spec(), 8, 1);
        try (Network cpu = TestBatch.open(name, 1);
                Network gpu = Libtorch.open(definition, GPU)) {
            TestBatch.load(gpu, definition.initialParameters(1));

            assertThat(gpu.logits(batch.images(), 8)).containsExactly(cpu.logits(batch.images(), 8), within(TF32));
            // Twice: the second batch and its gradients go through the memory of the first.
            for (int i = 0; i < 2; i++) {
                assertThat(batch.gradient(gpu)).containsExactly(batch.gradient(cpu), within(TF32));
            }
        }
    }

    @Test
    void shouldDrawTheMasksOfTheProcessor() {
        DropoutMask mask = new DropoutMask("dropout", 0.25f, false);
        Shape shape = new Shape(64, 1000);
        try (PtNDManager cpu = (PtNDManager) Libtorch.engine().newBaseManager(ai.djl.Device.cpu());
                PtNDManager gpu = manager()) {
            float[] drawn = mask.draw((PtNDArray) gpu.zeros(shape), 7).toFloatArray();

            assertThat(drawn)
                    .isEqualTo(mask.draw((PtNDArray) cpu.zeros(shape), 7).toFloatArray());
        }
    }

    /** As many bytes that a copy is under way for long: what is written next must not overtake it. */
    @Test
    void shouldWaitForACopyBeforeItsMemoryIsWrittenAgain() {
        int count = 1 << 24;
        try (PtNDManager manager = manager();
                TransferMemory memory = new TransferMemory(manager, count)) {
            PtNDArray first = (PtNDArray) manager.zeros(new Shape(count));
            PtNDArray second = (PtNDArray) manager.zeros(new Shape(count));
            float[] ones = new float[count];
            Arrays.fill(ones, 1);

            memory.values().put(ones);
            memory.copyInto(first);
            memory.values().put(new float[count]);
            memory.copyInto(second);

            float[] read = new float[count];
            memory.copied(List.of(first)).get(read);
            assertThat(read).isEqualTo(ones);
        }
    }

    private static PtNDManager manager() {
        return (PtNDManager) Libtorch.engine().newBaseManager(ai.djl.Device.gpu(0));
    }
}
