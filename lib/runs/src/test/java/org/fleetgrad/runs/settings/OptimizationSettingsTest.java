package org.fleetgrad.runs.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.fleetgrad.optim.ScheduleSpec;
import org.fleetgrad.runs.settings.OptimizationSettings.OptimizerKind;
import org.junit.jupiter.api.Test;

class OptimizationSettingsTest {

    @Test
    void shouldPassOnSgdWithMomentumWhereNothingIsSaid() {
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
    void shouldPassOnNothingOfSgdToAnotherOptimizer() {
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
}
