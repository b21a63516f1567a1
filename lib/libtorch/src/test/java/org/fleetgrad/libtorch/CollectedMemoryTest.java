package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.pipeline.stage.StageNetwork.Graph;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Java memory that a graph reads in the backward pass is not freed between the passes. */
class CollectedMemoryTest {

    private static final int COLLECTIONS = 4;
    private static final int SMALLEST_BYTES = 4;
    private static final int SIZES = 16;
    private static final int TIMES_EACH = 4;

    /** Reuses freed memory: otherwise libtorch would still read the old values there. */
    private static final List<ByteBuffer> TAKEN = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({"lenet5, 0", "lenet5, 0.1", "mnist-cnn, 0.1", "resnet20, 0.1"})
    void shouldGoBackwardToTheSameBitsAfterAGarbageCollection(String name, float smoothing) {
        NetworkDefinition network = Networks.usual(name);
        TestBatch batch = TestBatch.random(network.spec(), 4, 1);
        try (StageChain atOnce = new StageChain(network, 2, 3, smoothing);
                StageChain later = new StageChain(network, 2, 3, smoothing)) {
            atOnce.backward(atOnce.forward(batch, 0, 7, Graph.RETAINED));
            StageChain.Passed passed = later.forward(batch, 0, 7, Graph.RETAINED);

            collect();
            later.backward(passed);

            assertThat(later.gradientAndState()).isEqualTo(atOnce.gradientAndState());
        }
    }

    private static void collect() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            for (int k = 0; k < SIZES * TIMES_EACH; k++) {
                ByteBuffer taken = ByteBuffer.allocateDirect(SMALLEST_BYTES << (k % SIZES));
                while (taken.hasRemaining()) {
                    taken.put((byte) 63);
                }
                TAKEN.add(taken);
            }
        }
    }
}
