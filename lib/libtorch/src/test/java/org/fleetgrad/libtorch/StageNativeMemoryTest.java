package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.cut.StageMemory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The native memory of stages: a micro-batch's memory is freed with it, and is as large as planned. */
@EnabledOnOs(OS.LINUX)
@Tag("whole")
class StageNativeMemoryTest {

    private static final double MEBIBYTE = 1 << 20;

    /** 50 micro-batches, three times each. One of ResNet-20 takes some 12 MB: a leak of a twenty-fifth of it would show. */
    @ParameterizedTest
    @ValueSource(strings = {"mnist-cnn", "resnet20"})
    void shouldNotGrowWithMicroBatches(String name) throws Exception {
        List<Double> resident = probe("train", name);

        assertThat(resident.get(1) - resident.get(0)).isLessThan(24 * MEBIBYTE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mnist-cnn", "resnet20", "vgg11_bn?classes=10&head=cifar&input=3x32x32"})
    void shouldTakeAsMuchAsThePlanSaysAndGiveItBackAtOnce(String name) throws Exception {
        BlockRange range = StageMemoryProbe.range(name);
        // One micro-batch more.
        double planned = (double) activations(range, 2) - activations(range, 1);
        double version = 4.0 * range.parameters().elementCount();

        List<Double> resident = probe("parts", name);

        double taken = resident.get(1) - resident.get(0);
        assertThat(taken / StageMemoryProbe.MICRO_BATCHES).isBetween(0.85 * planned, 1.15 * planned);
        assertThat(resident.get(1) - resident.get(2)).isGreaterThan(0.9 * taken);
        assertThat((resident.get(3) - resident.get(2)) / StageMemoryProbe.SLOTS)
                .isCloseTo(version, within(0.1 * version + MEBIBYTE));
        assertThat((resident.get(3) - resident.get(4)) / (StageMemoryProbe.SLOTS / 2))
                .isCloseTo(version, within(0.1 * version + MEBIBYTE));
        assertThat(resident.get(5) - resident.get(0)).isLessThan(8 * MEBIBYTE);
    }

    private static long activations(BlockRange range, int microBatches) {
        return StageMemory.of(range, new StageMemory.Use(StageMemoryProbe.SAMPLES, microBatches, 1, 0, false, 0, 2))
                .activations();
    }

    private static List<Double> probe(String what, String network) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dai.djl.offline=true",
                // The heap is resident from the beginning, and does not grow.
                "-Xms256m",
                "-Xmx256m",
                "-XX:+AlwaysPreTouch",
                "-cp",
                System.getProperty("java.class.path"),
                StageMemoryProbe.class.getName(),
                what,
                network);
        builder.environment().put("MALLOC_MMAP_THRESHOLD_", "65536");
        builder.environment().put("MALLOC_ARENA_MAX", "1");
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.lines().map(Double::valueOf).toList();
    }
}
