package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.fleetgrad.libtorch.Network.NetworkReader;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The garbage collector does not see libtorch's memory: a leak shows only in the resident memory of the process. */
@EnabledOnOs(OS.LINUX)
@Tag("whole")
class NativeMemoryTest {

    /** A batch of 8 allocates some 600 KB: if one array in ten leaked, the process would grow by 100 MB. */
    @Test
    void shouldNotGrowWithBatches() throws IOException {
        assertNoGrowth("lenet5", 1500);
    }

    /** The arrays of a batch of ResNet-20 take some 50 MB, and leaves and buffers are created anew for each interval. */
    @Test
    void shouldNotGrowWithBatchesOfANetworkWithState() throws IOException {
        assertNoGrowth("resnet20", 120);
    }

    @Test
    void shouldNotGrowWithDropoutMasks() throws IOException {
        assertNoGrowth("mnist-cnn", 1500);
    }

    @Test
    void shouldNotGrowWithTexts() throws IOException {
        assertNoGrowth("gpt2?layers=2&heads=2&width=64&context=64&vocabulary=65", 1000);
    }

    /** Arguments of an operator belong to no manager by themselves; the cache of a text is 256 KB. */
    @Test
    void shouldNotGrowWithGeneratedTexts() throws IOException {
        try (Network network = TestBatch.open("gpt2?layers=4&heads=4&width=128&context=64&vocabulary=65", 0);
                NetworkReader reader = network.live()) {
            generate(reader, 200);
            touchHeap();
            long before = residentBytes();
            generate(reader, 800);
            assertThat(residentBytes() - before).isLessThan(64 << 20);
        }
    }

    /** Each text slides once. */
    private static void generate(NetworkReader reader, int texts) {
        for (int i = 0; i < texts; i++) {
            try (TextDecoder decoder = reader.decoder(100)) {
                decoder.append(TextModels.tokens(60, 1));
                while (decoder.length() < 66) {
                    decoder.append(decoder.length() % 65);
                }
                decoder.recompute();
            }
        }
    }

    @Test
    void shouldFreeTheDecodersOfAReaderThatIsClosed() throws IOException {
        try (Network network = TestBatch.open("gpt2?layers=4&heads=4&width=128&context=64&vocabulary=65", 0)) {
            abandon(network, 200);
            touchHeap();
            long before = residentBytes();
            abandon(network, 800);
            assertThat(residentBytes() - before).isLessThan(64 << 20);
        }
    }

    private static void abandon(Network network, int readers) {
        for (int i = 0; i < readers; i++) {
            try (NetworkReader reader = network.live()) {
                reader.decoder(64).append(TextModels.tokens(60, i % 10));
            }
        }
    }

    private static void assertNoGrowth(String name, int batches) throws IOException {
        NetworkDefinition definition = Networks.usual(name);
        NetworkSpec spec = definition.spec();
        TestBatch batch = TestBatch.random(spec, 8, 0);
        float[] gradient = new float[(int) spec.layout().elementCount()];
        try (Network network = TestBatch.open(name, 0)) {
            TensorSet parameters = TensorSet.ofFloats(spec.layout(), definition.initialParameters(0), Map.of());
            train(network, parameters, batch, gradient, batches / 4);
            touchHeap();
            long before = residentBytes();
            train(network, parameters, batch, gradient, batches);
            assertThat(residentBytes() - before).isLessThan(64 << 20);
        }
    }

    /** Lets the heap reach its full size, which would otherwise look like growth. */
    static void touchHeap() {
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            sum += new byte[100_000].length;
        }
        assertThat(sum).isEqualTo(2_000_000_000L);
    }

    private static void train(Network network, TensorSet parameters, TestBatch batch, float[] gradient, int batches) {
        for (int i = 0; i < batches; i++) {
            network.load(parameters);
            network.accumulate(batch.images(), batch.labels(), batch.count());
            network.logits(batch.images(), batch.count());
            network.drainGradient(gradient, 1);
        }
    }

    static long residentBytes() throws IOException {
        String kibibytes = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> Arrays.asList(line.split("\\s+")).get(1))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(kibibytes) * 1024;
    }
}
