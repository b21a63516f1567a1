package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * The command trains a network of each kind of block on colour images: all programs, a few steps each. That
 * each network of the zoo computes what it should is held by GoldenNetworksTest.
 */
@Tag("whole")
@Order(1)
class ZooIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final int TRAIN = 24;
    private static final int BATCH = 8;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"mnist-cnn", "resnet50", "vgg11_bn"})
    void shouldTrainEvaluateAndSave(String network) throws Exception {
        Path data = TinyColours.write(folder.resolve("data"), TRAIN, 10);
        NetworkSpec spec =
                Networks.named(network, TinyColours.SHAPE, TinyColours.CLASSES).spec();
        try (FleetgradProcess train = FleetgradProcess.start(
                folder,
                "train",
                "--json",
                "--out",
                "run",
                "--network",
                network,
                "--data",
                data.toString(),
                "--workers",
                "1",
                "--epochs",
                "1",
                "--batch-size",
                Integer.toString(BATCH),
                "--learning-rate",
                "0.001",
                "--durability",
                "none")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();

            JsonNode result = train.lastLineAsJson();
            assertThat(result.path("version").asLong()).isEqualTo(TRAIN / BATCH);
            assertThat(result.path("samples").asLong()).isEqualTo(TRAIN);
            assertThat(result.path("network").asString()).isEqualTo(spec.name());
            assertThat(Files.size(Path.of(result.path("modelPath").asString())))
                    .isGreaterThan(spec.layout().byteLength());
        }
    }
}
