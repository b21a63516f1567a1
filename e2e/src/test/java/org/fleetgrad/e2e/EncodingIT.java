package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * With every encoding of gradients and parameters, two workers and all programs train LeNet-5 to the target.
 * SeveralServersIT has bf16 gradients.
 */
@Order(1)
@Tag("whole")
class EncodingIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    /** The number of LeNet-5's values, a quarter of its bytes as float32. */
    private static final long VALUES = 61_706;

    private static final int SAMPLES = 8000;

    @TempDir
    private Path folder;

    /**
     * Compares the bytes of a push, and of the pull in its answer, with the encodings' formulas; only a little may come
     * on top.
     */
    @ParameterizedTest
    @CsvSource({
        "f16, i8, 2.0, 1.016",
        "i8, bf16, 1.016, 2.0",
        "topk:0.05 --overlap, f32, 0.4, 4.0",
        "2bit:0.005, f32, 0.25, 4.0"
    })
    void shouldReachTheTarget(String encoding, String pullEncoding, double pushBytes, double pullBytes)
            throws Exception {
        List<String> arguments = new ArrayList<>(List.of("train", "--json", "--out", "run", "--encoding"));
        arguments.addAll(List.of(encoding.split(" ")));
        arguments.addAll(List.of("--pull-encoding", pullEncoding, "--target-accuracy", "0.85"));
        arguments.addAll(List.of("--train-samples", Integer.toString(SAMPLES), "--test-samples", "1000"));
        try (FleetgradProcess train = FleetgradProcess.start(folder, arguments.toArray(String[]::new))) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();

            JsonNode result = train.lastLineAsJson();
            assertThat(result.path("accuracy").asDouble()).isGreaterThanOrEqualTo(0.85);
            JsonNode report = JsonMapper.builder()
                    .build()
                    .readTree(Files.readString(Path.of(result.path("reportPath").asString())));
            assertThat(report.path("settings").path("encoding").asString()).isEqualTo(encoding.split(" ")[0]);
            long pushes = 0;
            long samples = 0;
            double bytes = 0;
            double loaded = 0;
            long shardBytes = RunFiles.shardBytes(folder.resolve("run"));
            assertThat(shardBytes).isPositive();
            for (JsonNode activation : report.path("activations")) {
                pushes += activation.path("pushes").asLong();
                samples += activation.path("counted").asLong();
                bytes += activation.path("bytes").asDouble();
                // An activation begins with a pull, maybe two, and loads each shard once an epoch.
                loaded += 2 * pullBytes * VALUES
                        + shardBytes * (1 + activation.path("samples").asLong() / SAMPLES);
            }
            // Every gradient that a worker reports as accepted is a step, and its samples count once.
            assertThat(pushes).isEqualTo(RunFiles.lastVersion(report));
            assertThat(samples).isEqualTo(result.path("samples").asLong());
            double perPush = (pushBytes + pullBytes) * VALUES;
            assertThat(bytes).isBetween(pushes * perPush * 0.97, pushes * perPush * 1.03 + loaded);
        }
    }
}
