package org.fleetgrad.simulation.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.assertj.core.data.Percentage;
import org.fleetgrad.optim.TrainingMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The simulation predicts what real fleets behind limited links measured, from the costs of a push alone. */
class PredictionTest {

    private static final long LENET_5 = 61_706;
    private static final Duration STEP = Duration.ofMillis(40);
    private static final double SPREAD = 0.1;
    private static final double BITS_A_SECOND = 100e6;
    /** Of a message through the two proxies that are the links. */
    private static final Duration LATENCY = Duration.ofNanos(100_000);

    private static final Percentage ALLOWED = Percentage.withPercentage(15);
    private static final int SEEDS = 10;
    private static final Measured MEASURED = Measured.read();

    @ParameterizedTest
    @CsvSource({
        "async, f32, 1", "async, f32, 2", "async, f32, 4", "async, f32, 8",
        "async, i8, 1", "async, i8, 2", "async, i8, 4", "async, i8, 8",
        "sync, f32, 1", "sync, f32, 2", "sync, f32, 4", "sync, f32, 8",
        "sync, i8, 1", "sync, i8, 2", "sync, i8, 4", "sync, i8, 8",
    })
    void shouldPredictWhatWasMeasured(String mode, String encoding, int workers) {
        FleetPlan plan = new FleetPlan(
                workers,
                1,
                mode.equals("sync") ? new TrainingMode.Sync(0) : new TrainingMode.Async(1),
                encoding,
                LENET_5,
                STEP,
                SPREAD,
                MEASURED.worker(LENET_5, encoding),
                BITS_A_SECOND,
                LATENCY,
                MEASURED.server(LENET_5, encoding));
        // Where a link is nearly full, chance decides for a while who waits for whom.
        double predicted = LongStream.rangeClosed(1, SEEDS)
                .mapToDouble(seed -> Fleet.run(plan, seed).batchesASecond())
                .average()
                .orElseThrow();

        assertThat(predicted).isCloseTo(MEASURED.ours("fleet-%s-%s-%d".formatted(mode, encoding, workers)), ALLOWED);
    }
}
