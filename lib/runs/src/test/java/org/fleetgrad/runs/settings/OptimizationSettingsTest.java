package org.fleetgrad.runs.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import org.fleetgrad.optim.LocalSteps;
import org.fleetgrad.optim.OptimizerSpec;
import org.fleetgrad.optim.ScheduleSpec;
import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.api.Test;

class OptimizationSettingsTest {

    @Test
    void shouldPassOnSgdWithMomentumWhereNothingIsSaid() throws Exception {
        assertThat(OptimizationSettings.DEFAULT.environment(60_000, 20))
                .isEqualTo(Map.of(
                        "PS_OPTIMIZER", "sgd:momentum=0.9",
                        "PS_LEARNINGRATE", "0.01",
                        "PS_SCHEDULE", "constant"));
    }

    @Test
    void shouldPassOnAnotherOptimizerWithItsArguments() throws Exception {
        OptimizationSettings asked = new OptimizationSettings(
                OptimizerSpec.parse("adamw:weight-decay=0.05,matrices-only=true"),
                0.002,
                ScheduleSpec.parse("cosine:warmup=0.5"),
                1,
                0.1);

        assertThat(asked.environment(50_000, 10))
                .isEqualTo(Map.of(
                        "PS_OPTIMIZER", "adamw:weight-decay=0.05,matrices-only=true",
                        "PS_LEARNINGRATE", "0.002",
                        "PS_SCHEDULE", "cosine:total=500000,warmup=25000"));
    }

    @Test
    void shouldTellTheServerTheLocalStepsOfItsWorkers() throws Exception {
        OptimizationSettings asked = OptimizationSettings.DEFAULT.with(
                Optional.of(new LocalSteps(8, OptimizerSpec.parse("adamw:weight-decay=0.1"), 0.002)));

        assertThat(asked.environment(50_000, 10))
                .containsEntry("PS_LOCAL_STEPS", "8")
                .containsEntry("PS_LOCAL_OPTIMIZER", "adamw:weight-decay=0.1")
                .containsEntry("PS_LOCAL_LEARNINGRATE", "0.002");
    }

    @Test
    void shouldSayThatMilestonesOfATinyDatasetAreAtTheSameSample() {
        OptimizationSettings asked = new OptimizationSettings(
                OptimizerSpec.parse("sgd"), 0.01, ScheduleSpec.parse("step:milestones=0.01,0.02"), 0, 0);

        assertThatThrownBy(() -> asked.environment(30, 10))
                .isInstanceOf(RunFailedException.class)
                .hasMessage(
                        "--learning-rate-schedule with epochs of 30 samples: each milestone must be later than the one"
                                + " before, and above 0; they are [1.0, 1.0]");
    }
}
