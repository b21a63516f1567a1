package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.fleetgrad.optim.StalenessAwareOptimizer;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.outcome.PushOutcome.Refused;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.TrainingRun;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run under a staleness rule serves the same values as the optimizer without a server. */
class RulesThroughTheServerTest {

    private static final List<String> WORKERS = List.of("a", "b", "c");

    static Stream<TrainingSettings> settings() {
        return LegalSettings.all().stream()
                .filter(settings -> settings.mode().equals(new TrainingMode.Async(1))
                        || settings.mode().equals(new TrainingMode.Async(3)));
    }

    static Stream<TrainingSettings> oneByOne() {
        return settings().filter(settings -> settings.mode().equals(new TrainingMode.Async(1)));
    }

    private static TrainingRun begin(TrainingSettings settings) {
        return new TrainingRun(settings, new TrainingRun.Quiet(), TrainingStore.NONE, new ManualClock())
                .startingAt(1, -2)
                .withWorkers("a", "b", "c");
    }

    @ParameterizedTest
    @MethodSource("settings")
    void shouldServeWhatTheOptimizerComesTo(TrainingSettings settings) {
        Random random = new Random(17);
        boolean isOneByOne = settings.mode().equals(new TrainingMode.Async(1));
        StalenessAwareOptimizer optimizer = StalenessAwareOptimizer.create(settings.rule(), settings.optimizer(), 2);
        float[] parameters = {1, -2};
        Map<Long, float[]> served = new HashMap<>(Map.of(0L, new float[] {1, -2}));
        long version = 0;
        long trained = 0;
        float[] sum = new float[2];
        try (TrainingRun run = begin(settings)) {
            for (int push = 1; push <= 60; push++) {
                String worker = WORKERS.get(random.nextInt(3));
                long base = Math.max(0, version - random.nextInt(LegalSettings.HISTORY));
                float[] gradient = {(float) random.nextGaussian(), (float) random.nextGaussian()};
                run.push(worker, push, base, gradient);

                float learningRate = settings.schedule().at(trained);
                optimizer.arrive(
                        worker,
                        version - base,
                        gradient,
                        served.getOrDefault(base, new float[0]),
                        parameters,
                        learningRate);
                for (int i = 0; i < 2; i++) {
                    sum[i] = isOneByOne ? gradient[i] : sum[i] + gradient[i];
                }
                if (isOneByOne || push % 3 == 0) {
                    float[] mean =
                            isOneByOne ? sum : new float[] {sum[0] * (float) (1.0 / 3), sum[1] * (float) (1.0 / 3)};
                    optimizer.step(worker, parameters, mean, learningRate);
                    version++;
                    trained = push;
                    served.put(
                            version,
                            optimizer
                                    .served(parameters, settings.schedule().at(trained))
                                    .clone());
                    sum = new float[2];
                }
                assertThat(run.version()).isEqualTo(version);
                assertThat(run.values()).isEqualTo(served.get(version));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("oneByOne")
    void shouldRefuseABaseBeyondTheHistoryWhereTheRuleNeedsIt(TrainingSettings settings) {
        try (TrainingRun run = begin(settings)) {
            for (int push = 1; push <= LegalSettings.HISTORY; push++) {
                assertThat(run.push("a", push, push - 1, 1, 1)).isEqualTo(new Applied(push, 0));
            }
            Object old = run.push("b", 1, 0, 1, 1);

            if (settings.rule().needsBase()) {
                assertThat(old)
                        .isEqualTo(new Refused(
                                Reason.STALE_GRADIENT,
                                "the gradient's base version is 0; the rule %s needs its values, and the server keeps those since version 1: pull and go on"
                                        .formatted(settings.rule())));
                assertThat(run.push("b", 1, 1, 1, 1)).isEqualTo(new Applied(4, 2));
            } else {
                assertThat(old).isEqualTo(new Applied(4, 3));
            }
        }
    }
}
