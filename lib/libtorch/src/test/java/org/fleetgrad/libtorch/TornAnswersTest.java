package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import java.util.List;
import org.fleetgrad.libtorch.Network.NetworkReader;
import org.fleetgrad.libtorch.Steps.Step;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.layer.Sequential;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The answer of a reader of the trained tensors if the network loads meanwhile. Here the load runs between two layers, as
 * another thread's might; the test shows such an answer, and not how often it occurs.
 */
class TornAnswersTest {

    private static final NetworkDefinition LENET5 = Networks.usual("lenet5");
    private static final NetworkSpec SPEC = LENET5.spec();
    private static final TestBatch BATCH = TestBatch.random(SPEC, 4, 1);
    private static final float[] OLD = LENET5.initialParameters(1);
    private static final float[] NEW = LENET5.initialParameters(2);
    private static final String CONVOLUTIONS = "conv";

    private LibtorchNetwork network;

    @BeforeEach
    void open() {
        network = Libtorch.instance(LENET5, Device.CPU);
    }

    @AfterEach
    void close() {
        network.close();
    }

    private float[] logits(float[] parameters) {
        TestBatch.load(network, parameters);
        return network.logits(BATCH.images(), BATCH.count());
    }

    /** Of both sets: the convolutions of the old one, the linear layers of the new one. */
    private static float[] mixed() {
        float[] mixed = NEW.clone();
        for (int i = 0; i < SPEC.layout().size(); i++) {
            if (SPEC.layout().specs().get(i).name().startsWith(CONVOLUTIONS)) {
                int from = (int) (SPEC.layout().byteOffset(i) / Float.BYTES);
                int count = (int) SPEC.layout().specs().get(i).elementCount();
                System.arraycopy(OLD, from, mixed, from, count);
            }
        }
        return mixed;
    }

    /** LeNet-5's layers, with {@code between} after the last convolution. */
    private static Step interrupted(Runnable between) {
        List<Sequential.Part> parts = LENET5.layers().parts();
        int cut = 0;
        for (int i = 0; i < parts.size(); i++) {
            cut = parts.get(i).name().startsWith(CONVOLUTIONS) ? i + 1 : cut;
        }
        Step before = Steps.of(new Sequential(parts.subList(0, cut)), SPEC.layout());
        Step after = Steps.of(new Sequential(parts.subList(cut, parts.size())), SPEC.layout());
        return (x, pass) -> {
            try (PtNDArray half = before.run(x, pass)) {
                between.run();
                return after.run(half, pass);
            }
        };
    }

    private float[] read(Tensors read, Runnable between) {
        PtNDManager own = (PtNDManager) Libtorch.engine().newBaseManager(ai.djl.Device.cpu());
        try (NetworkReader reader = new LibtorchReader(LENET5, interrupted(between), own, false, read, () -> {})) {
            return reader.logits(BATCH.images(), BATCH.count());
        }
    }

    @Test
    void shouldAnswerOfBothVersionsIfALoadComesBetweenTwoLayers() {
        float[] ofMixed = logits(mixed());
        float[] ofNew = logits(NEW);
        float[] ofOld = logits(OLD);

        float[] torn = read(network.tensors(), () -> TestBatch.load(network, NEW));

        assertThat(torn).isNotEqualTo(ofOld).isNotEqualTo(ofNew).isEqualTo(ofMixed);
    }

    @Test
    void shouldAnswerOfOneVersionIfNoLoadComes() {
        float[] ofOld = logits(OLD);

        assertThat(read(network.tensors(), () -> {})).isEqualTo(ofOld);
    }

    @Test
    void shouldAnswerOfOneVersionFromACopyWhateverIsLoaded() {
        float[] ofOld = logits(OLD);
        try (PtNDManager own = (PtNDManager) Libtorch.engine().newBaseManager(ai.djl.Device.cpu())) {
            Tensors copy = new HostTensors(SPEC, own);
            copy.copyFrom(network.tensors());

            assertThat(read(copy, () -> TestBatch.load(network, NEW))).isEqualTo(ofOld);
        }
    }
}
