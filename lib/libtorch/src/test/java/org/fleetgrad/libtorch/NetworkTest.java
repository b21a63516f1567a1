package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.fleetgrad.protocol.tensor.TensorSpec.f32;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("kernels")
class NetworkTest {

    private static final String NAME = "lenet5";
    private static final NetworkSpec SPEC = Networks.usual(NAME).spec();
    private static final TestBatch BATCH = TestBatch.random(SPEC, 6, 1);
    private static final TestBatch OTHER = TestBatch.random(SPEC, 3, 2);

    /** Eight times the most that was seen with the kernels of any processor: default, AVX2 and AVX-512. */
    private static final float ROUNDING = 4e-7f;

    private Network network;

    @BeforeEach
    void open() {
        network = TestBatch.open(NAME, 11);
    }

    @AfterEach
    void close() {
        network.close();
    }

    @Test
    void shouldAddGradients() {
        float[] first = BATCH.gradient(network);
        float[] second = OTHER.gradient(network);
        network.accumulate(BATCH.images(), BATCH.labels(), 6);
        float[] both = OTHER.gradient(network);
        for (int i = 0; i < both.length; i++) {
            assertThat(both[i]).isCloseTo(first[i] + second[i], within(ROUNDING));
        }
    }

    @Test
    void shouldBeginAtZeroAfterDrain() {
        assertThat(BATCH.gradient(network)).isEqualTo(BATCH.gradient(network));
    }

    @Test
    void shouldScaleWhatItDrains() {
        float[] whole = BATCH.gradient(network);
        network.accumulate(BATCH.images(), BATCH.labels(), 6);
        float[] half = TestBatch.drain(network, 0.5f);
        for (int i = 0; i < whole.length; i++) {
            assertThat(half[i]).isEqualTo(whole[i] * 0.5f);
        }
    }

    @Test
    void shouldTakeMeanOverBatch() {
        float[] gradient = BATCH.gradient(network);
        float loss = network.accumulate(BATCH.images(), BATCH.labels(), 6);
        network.discardGradient();
        double sum = 0;
        for (int i = 0; i < 6; i++) {
            TestBatch one = BATCH.part(i, i + 1);
            sum += network.accumulate(one.images(), one.labels(), 1);
        }
        // Eight halves of the distance between two floats of this size.
        assertThat((double) loss).isCloseTo(sum / 6, within(4.0 * Math.ulp(loss)));
        assertThat(gradient).containsExactly(TestBatch.drain(network, 1f / 6), within(ROUNDING));
    }

    @Test
    void shouldReadOnlyAsManySamplesAsCounted() {
        float[] images = Arrays.copyOf(BATCH.images(), BATCH.images().length);
        float[] labels = BATCH.labels().clone();
        Arrays.fill(images, 4 * SPEC.inputSize(), images.length, Float.NaN);
        Arrays.fill(labels, 4, 6, 99);
        assertThat(network.accumulate(images, labels, 4))
                .isEqualTo(network.accumulate(BATCH.images(), BATCH.labels(), 4))
                .isFinite();
    }

    @Test
    void shouldForgetGradientThatIsDiscarded() {
        float[] clean = BATCH.gradient(network);
        float[] poison = new float[SPEC.inputSize()];
        Arrays.fill(poison, Float.NaN);
        assertThat(network.accumulate(poison, new float[1], 1)).isNaN();
        network.discardGradient();
        assertThat(BATCH.gradient(network)).isEqualTo(clean);

        network.accumulate(poison, new float[1], 1);
        assertThat(TestBatch.drain(network, 1)).contains(Float.NaN);
        assertThat(BATCH.gradient(network)).isEqualTo(clean);
    }

    @Test
    void shouldNotHandOutGradientThatIsNotThere() {
        float[] target = new float[61_706];
        assertThatThrownBy(() -> network.drainGradient(target, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no batch was accumulated since the last gradient was taken");

        BATCH.gradient(network);
        assertThatThrownBy(() -> network.drainGradient(target, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldRejectTargetOfAnotherSize() {
        network.accumulate(OTHER.images(), OTHER.labels(), 3);
        assertThatThrownBy(() -> network.drainGradient(new float[61_705], 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the gradient of lenet5?classes=10&input=1x28x28 has 61706 values, the target 61705");
    }

    @Test
    void shouldRejectFewerImagesThanCounted() {
        assertThatThrownBy(() -> network.accumulate(OTHER.images(), new float[4], 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a batch of 4 images of [1, 28, 28] takes 3136 values; there are 2352");
        for (int count : new int[] {0, -1, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> network.logits(OTHER.images(), count))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldRejectFewerLabelsThanCounted() {
        assertThatThrownBy(() -> network.accumulate(OTHER.images(), new float[2], 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a batch of 3 images of [1, 28, 28] takes 3 targets; there are 2");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 10})
    void shouldRejectLabelThatIsNoClass(int label) {
        assertThatThrownBy(() -> network.accumulate(OTHER.images(), new float[] {0, label, 0}, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("label %d of sample 1 is not one of the 10 classes".formatted(label));
    }

    @Test
    void shouldGiveSameLogitsInAnyBatch() {
        float[] together = network.logits(BATCH.images(), 6);
        assertThat(together).hasSize(60);
        for (int i = 0; i < 6; i++) {
            assertThat(network.logits(BATCH.part(i, i + 1).images(), 1))
                    .containsExactly(Arrays.copyOfRange(together, i * 10, i * 10 + 10), within(ROUNDING));
        }
    }

    @Test
    void shouldNotAccumulateWhilePredicting() {
        float[] alone = BATCH.gradient(network);
        network.accumulate(BATCH.images(), BATCH.labels(), 6);
        network.logits(OTHER.images(), 3);
        assertThat(TestBatch.drain(network, 1)).isEqualTo(alone);
    }

    @Test
    void shouldLoadInAnyOrder() {
        float[] logits = network.logits(OTHER.images(), 3);
        float[] parameters = Networks.usual(NAME).initialParameters(11);
        List<TensorSpec> specs = new ArrayList<>(SPEC.layout().specs());
        Collections.shuffle(specs, new Random(0));
        TensorLayout shuffled = TensorLayout.inOrder(specs);
        float[] values = TensorSet.ofFloats(SPEC.layout(), parameters, Map.of()).toFloats(shuffled);

        network.load(TensorSet.ofFloats(SPEC.layout(), new float[parameters.length], Map.of()));
        assertThat(network.logits(OTHER.images(), 3)).containsOnly(0);
        network.load(TensorSet.ofFloats(shuffled, values, Map.of()));
        assertThat(network.logits(OTHER.images(), 3)).isEqualTo(logits);
    }

    @Test
    void shouldNotKeepWhatItLoads() {
        ByteBuffer bytes = ByteBuffer.allocateDirect((int) SPEC.layout().byteLength());
        TensorSet zeros = new TensorSet(SPEC.layout(), bytes, Map.of());
        network.load(zeros);
        while (bytes.hasRemaining()) {
            bytes.put((byte) 0x3F);
        }
        assertThat(network.logits(OTHER.images(), 3)).containsOnly(0);
    }

    @Test
    void shouldRejectOtherTensors() {
        List<TensorSpec> specs = new ArrayList<>(SPEC.layout().specs());
        specs.set(0, f32("conv1.bias", 7));
        assertLoadRejected(
                specs,
                "tensor 'conv1.bias' has shape [7] (7 values), the network lenet5?classes=10&input=1x28x28 has [6] (6 values)");
        specs.set(0, new TensorSpec("conv1.bias", DType.I32, List.of(6L)));
        assertLoadRejected(
                specs, "tensor 'conv1.bias' is of type I32, the network lenet5?classes=10&input=1x28x28 has F32");
        specs.remove(0);
        assertLoadRejected(
                specs,
                "tensor 'conv1.bias' of shape [6] is missing; the network lenet5?classes=10&input=1x28x28 has 10 tensors, this has 9");
    }

    @Test
    void shouldKeepParametersWhereLoadIsRejected() {
        float[] logits = network.logits(OTHER.images(), 3);
        assertLoadRejected(
                List.of(),
                "tensor 'conv1.bias' of shape [6] is missing; the network lenet5?classes=10&input=1x28x28 has 10 tensors, this has 0");
        assertThat(network.logits(OTHER.images(), 3)).isEqualTo(logits);
    }

    @Test
    void shouldLiveBesideAnotherNetwork() {
        float[] alone = BATCH.gradient(network);
        try (Network second = TestBatch.open(NAME, 12)) {
            network.accumulate(BATCH.images(), BATCH.labels(), 6);
            assertThat(BATCH.gradient(second)).isNotEqualTo(alone);
            assertThat(TestBatch.drain(network, 1)).isEqualTo(alone);
        }
        assertThat(BATCH.gradient(network)).isEqualTo(alone);
    }

    @Test
    void shouldGiveSameBitsAfterReopening() {
        float[] gradient = BATCH.gradient(network);
        network.close();
        network = TestBatch.open(NAME, 11);
        assertThat(BATCH.gradient(network)).isEqualTo(gradient);
    }

    @Test
    void shouldComputeSameInBatchesOfChangingSize() {
        float[] ofThree = network.logits(OTHER.images(), 3);
        float[] ofSix = network.logits(BATCH.images(), 6);
        assertThat(network.logits(OTHER.images(), 3)).isEqualTo(ofThree);
        assertThat(network.logits(BATCH.images(), 6)).isEqualTo(ofSix);
    }

    @Test
    void shouldTrainBesideOtherThreadsNetworks() throws Exception {
        float[] alone = BATCH.gradient(network);
        Callable<List<float[]>> training = () -> {
            try (Network own = TestBatch.open(NAME, 11)) {
                return IntStream.range(0, 30).mapToObj(i -> BATCH.gradient(own)).toList();
            }
        };
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            for (Future<List<float[]>> trained : threads.invokeAll(Collections.nCopies(3, training))) {
                assertThat(trained.get())
                        .hasSize(30)
                        .allSatisfy(gradient -> assertThat(gradient).isEqualTo(alone));
            }
        } finally {
            threads.shutdown();
        }
    }

    private void assertLoadRejected(List<TensorSpec> specs, String message) {
        TensorLayout layout = TensorLayout.inOrder(specs);
        TensorSet set = new TensorSet(layout, ByteBuffer.allocate((int) layout.byteLength()), Map.of());
        assertThatThrownBy(() -> network.load(set))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
