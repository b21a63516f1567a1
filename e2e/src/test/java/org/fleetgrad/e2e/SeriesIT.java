package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Series are trained on, and asked while they train: sines and squares of a random phase, which no single value tells apart. */
@Tag("whole")
class SeriesIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final int SAMPLES = 2000;
    private static final int LENGTH = 24;
    private static final int SINE = 3;
    private static final int SQUARE = 12;

    @TempDir
    private Path folder;

    private Path arrays;

    @BeforeEach
    void writeArrays() throws IOException {
        arrays = Files.createDirectory(folder.resolve("waves"));
        Random random = new Random(7);
        ByteBuffer inputs = ByteBuffer.allocate(SAMPLES * LENGTH * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer targets = ByteBuffer.allocate(SAMPLES * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int sample = 0; sample < SAMPLES; sample++) {
            boolean isSquare = random.nextBoolean();
            for (double value : wave(isSquare, random.nextDouble(), random)) {
                inputs.putFloat((float) value);
            }
            targets.putLong(isSquare ? SQUARE : SINE);
        }
        write("x.npy", "<f4", "(%d, 1, %d)".formatted(SAMPLES, LENGTH), inputs.array());
        write("y.npy", "<i8", "(%d,)".formatted(SAMPLES), targets.array());
    }

    private void write(String name, String type, String shape, byte[] elements) throws IOException {
        byte[] header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n"
                .formatted(type, shape)
                .getBytes(StandardCharsets.US_ASCII);
        Files.write(
                arrays.resolve(name),
                ByteBuffer.allocate(10 + header.length + elements.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
                        .putShort((short) header.length)
                        .put(header)
                        .put(elements)
                        .array());
    }

    /** Two periods around 40, of size 5. */
    private static double[] wave(boolean isSquare, double phase, Random random) {
        double[] values = new double[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            double sine = Math.sin(2 * Math.PI * (2.0 * i / LENGTH + phase));
            values[i] = 40 + 5 * (isSquare ? Math.signum(sine) : sine) + 0.3 * random.nextGaussian();
        }
        return values;
    }

    private FleetgradProcess train(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("train", "--data", arrays.toString()));
        arguments.addAll(List.of("--network", "series?kind=lstm&hidden=16&layers=1"));
        arguments.addAll(List.of("--optimizer", "adam", "--learning-rate", "0.01", "--batch-size", "32"));
        arguments.addAll(List.of(more));
        return FleetgradProcess.start(folder, arguments.toArray(String[]::new));
    }

    private static String json(double[] values) {
        return Arrays.stream(values)
                .mapToObj(value -> String.format(Locale.ROOT, "%.3f", value))
                .collect(Collectors.joining(",", "[", "]"));
    }

    @Test
    void shouldBeAskedWhileItLearns() throws Exception {
        Random random = new Random(3);
        String body = "{\"inputs\":[%s,[%s]]}".formatted(json(wave(true, 0.3, random)), json(wave(false, 0.7, random)));
        try (FleetgradProcess train = train("--out", "asked", "--epochs", "1000000")) {
            await().atMost(TIMEOUT).ignoreExceptions().untilAsserted(() -> {
                JsonNode predictions = train.ask("/predict", body).path("predictions");
                assertThat(predictions.get(0).path("label").asString()).isEqualTo(Integer.toString(SQUARE));
                assertThat(predictions.get(1).path("label").asString()).isEqualTo(Integer.toString(SINE));
                assertThat(predictions.get(0).path("probabilities").get(1).asDouble())
                        .isGreaterThan(0.9);
            });
            assertThat(train.ask("/predict", "{\"input\":[1,2,3]}")
                            .path("detail")
                            .asString())
                    .isEqualTo("input 0 must have 24 values; it has 3");
            assertThat(train.stderr())
                    .contains(
                            "1,801 series of 1 channels of 24 values are trained on",
                            "y is the target, 2 classes: 3, 12");
        }
    }

    @Test
    void shouldReachAnAccuracyAndBeEvaluatedAfterwards() throws Exception {
        try (FleetgradProcess train = train("--out", "run", "--epochs", "200", "--target-accuracy", "0.97", "--json")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            assertThat(train.lastLineAsJson().path("accuracy").asDouble()).isBetween(0.97, 1.0);
        }
        String run = folder.resolve("run").toString();
        try (FleetgradProcess evaluate = FleetgradProcess.start(
                folder, "evaluate", "--checkpoints", run + "/model.safetensors", "--data", run, "--json")) {
            assertThat(evaluate.await(TIMEOUT)).as(evaluate.stderr()).isZero();
            assertThat(evaluate.lastLineAsJson().path("best").path("top1").asDouble())
                    .isBetween(0.97, 1.0);
        }
    }
}
