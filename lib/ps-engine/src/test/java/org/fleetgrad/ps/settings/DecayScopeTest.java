package org.fleetgrad.ps.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.optim.DecayRanges;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.StalenessAwareOptimizer;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.settings.TrainingSettings.DecayScope;
import org.junit.jupiter.api.Test;

class DecayScopeTest {

    /** 18 values: 3 of normalization, 6 of state, 6 of a matrix and its bias of 3. */
    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(
            TensorSpec.f32("bn.running_mean", 3),
            TensorSpec.f32("bn.running_var", 3),
            TensorSpec.f32("bn.weight", 3),
            TensorSpec.f32("fc.bias", 3),
            TensorSpec.f32("fc.weight", 3, 2)));

    private static final Map<String, String> STATE = Map.of(
            ParameterState.KEY,
            ParameterState.of(List.of("bn.running_mean", "bn.running_var"), 0.1f)
                    .text());

    @Test
    void shouldDecayEverythingButTheState() {
        assertThat(decayed(DecayScope.EVERYTHING, LAYOUT, STATE))
                .isEqualTo("------DDDDDDDDDDDD".substring(0, (int) LAYOUT.elementCount()));
        assertThat(decayed(DecayScope.EVERYTHING, LAYOUT, Map.of())).isEqualTo("D".repeat((int) LAYOUT.elementCount()));
    }

    @Test
    void shouldLeaveOutTensorsOfOneDimension() {
        assertThat(decayed(DecayScope.MATRICES, LAYOUT, STATE)).isEqualTo("-".repeat(12) + "D".repeat(6));
        assertThat(decayed(DecayScope.MATRICES, TensorLayout.canonical(List.of(TensorSpec.f32("scale"))), Map.of()))
                .isEqualTo("-");
    }

    /** Each piece has one dimension; the tensors that they were cut from do not. */
    @Test
    void shouldGoByTheTensorsThatPiecesWereCutFrom() {
        TensorLayout pieces = TensorLayout.inOrder(List.of(
                TensorSpec.f32("bn.running_var[1:3]", 2),
                TensorSpec.f32("bn.weight", 3),
                TensorSpec.f32("fc.bias", 3),
                TensorSpec.f32("fc.weight[0:5]", 5)));
        Map<String, String> metadata = new HashMap<>(STATE);
        metadata.putAll(new PartitionLabel(1, 3, "origin", LAYOUT).toMap());

        assertThat(decayed(DecayScope.EVERYTHING, pieces, metadata)).isEqualTo("--" + "D".repeat(11));
        assertThat(decayed(DecayScope.MATRICES, pieces, metadata)).isEqualTo("--------DDDDD");
    }

    @Test
    void shouldMakeAnOptimizerThatDecaysThoseOnly() {
        TrainingSettings settings = new TrainingSettings(
                new TrainingMode.Async(1),
                new OptimizerSettings.SgdSettings(0, 0, false, 0.5f),
                new StalenessRule.None(),
                1,
                new LearningRateSchedule.Constant(1),
                DecayScope.MATRICES,
                1,
                0);
        StalenessAwareOptimizer optimizer = settings.newOptimizer(LAYOUT, STATE);
        float[] parameters = new float[18];
        Arrays.fill(parameters, 1);

        optimizer.step("a", parameters, new float[18], 1);

        assertThat(parameters).containsExactly(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f);
    }

    /** Decays ones with SGD, and returns a D for each position that decreased. */
    private static String decayed(DecayScope scope, TensorLayout layout, Map<String, String> metadata) {
        DecayRanges ranges = scope.ranges(layout, metadata);
        float[] ones = new float[ranges.size()];
        Arrays.fill(ones, 1);
        StalenessAwareOptimizer.create(
                        new StalenessRule.None(), new OptimizerSettings.SgdSettings(0, 0, false, 0.5f), ranges)
                .step("a", ones, new float[ones.length], 1);
        StringBuilder text = new StringBuilder();
        for (float one : ones) {
            text.append(one < 1 ? 'D' : '-');
        }
        return text.toString();
    }
}
