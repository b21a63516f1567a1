package org.fleetgrad.runs.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.fleetgrad.optim.ScheduleSpec;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.settings.OptimizationSettings.OptimizerKind;
import org.junit.jupiter.api.Test;

class OptimizationSettingsTest {

    @Test
    void shouldPassOnSgdWithMomentumWhereNothingIsSaid() throws Exception {
        assertThat(OptimizationSettings.DEFAULT.environment(60_000, 20))
                .isEqualTo(Map.of(
                        "PS_OPTIMIZER_NAME", "sgd",
                        "PS_OPTIMIZER_LEARNINGRATE", "0.01",
                        "PS_OPTIMIZER_MOMENTUM", "0.9",
                        "PS_OPTIMIZER_NESTEROV", "false",
                        "PS_OPTIMIZER_WEIGHTDECAY", "0.0",
                        "PS_OPTIMIZER_DECAYNORMSANDBIASES", "true",
                        "PS_SCHEDULE", "constant"));
    }

    @Test
    void shouldPassOnNothingOfSgdToAnotherOptimizer() throws Exception {
        OptimizationSettings asked = new OptimizationSettings(
                OptimizerKind.ADAMW, 0.002, 0, false, 0.05, true, ScheduleSpec.parse("cosine:warmup=0.5"), 1, 0.1);

        assertThat(asked.environment(50_000, 10))
                .isEqualTo(Map.of(
                        "PS_OPTIMIZER_NAME", "adamw",
                        "PS_OPTIMIZER_LEARNINGRATE", "0.002",
                        "PS_OPTIMIZER_WEIGHTDECAY", "0.05",
                        "PS_OPTIMIZER_DECAYNORMSANDBIASES", "false",
                        "PS_SCHEDULE", "cosine:total=500000,warmup=25000"));
    }

    @Test
    void shouldSayThatMilestonesOfATinyDatasetAreAtTheSameSample() {
        OptimizationSettings asked = new OptimizationSettings(
                OptimizerKind.SGD, 0.01, 0.9, false, 0, false, ScheduleSpec.parse("step:milestones=0.01,0.02"), 0, 0);

        assertThatThrownBy(() -> asked.environment(30, 10))
                .isInstanceOf(RunFailedException.class)
                .hasMessage(
                        "--learning-rate-schedule with epochs of 30 samples: each milestone must be later than the one"
                                + " before, and above 0; they are [1.0, 1.0]");
    }
}
