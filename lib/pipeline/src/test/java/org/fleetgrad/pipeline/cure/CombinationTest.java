package org.fleetgrad.pipeline.cure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule.GapAware;
import org.fleetgrad.optim.WeightPrediction.Method;
import org.fleetgrad.pipeline.cure.Combination.StagePrediction;
import org.fleetgrad.pipeline.cure.CombinationRule.IllegalCombinationException;
import org.fleetgrad.pipeline.cure.GapPenalty.Where;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** T24: section 6 of the reference, row by row. */
class CombinationTest {

    private static final SgdSettings SGD = new SgdSettings(0.9f, 0, false, 0);
    private static final SgdSettings DECAYED = new SgdSettings(0.9f, 0, false, 5e-4f);
    private static final SgdSettings NESTEROV = new SgdSettings(0.9f, 0, true, 5e-4f);
    private static final AdamSettings ADAM = new AdamSettings(0.9f, 0.999f, 1e-8f, 0, false);
    private static final AdamSettings AMSGRAD = new AdamSettings(0.9f, 0.999f, 1e-8f, 0, true);
    private static final AdamWSettings ADAM_W = new AdamWSettings(0.9f, 0.999f, 1e-8f, 0.01f, false);
    private static final GapPenalty GAP = GapPenalty.customary();
    private static final GapPenalty GAP_AT_DEPTH_ONE = new GapPenalty(new GapAware(0.999f), Where.DEPTH_ONE, false);
    private static final GapPenalty LOSS_ONLY = new GapPenalty(new GapAware(0.999f), Where.ALL_BUT_LAST, true);
    private static final StagePrediction NESTEROV_MSNAG = new StagePrediction(Method.MSNAG, true, false);
    private static final StagePrediction AWARE = new StagePrediction(Method.AGGMSNAG, false, true);

    static Stream<Arguments> illegal() {
        return Stream.of(
                refused(CombinationRule.GPIPE_RECOMPUTES, of(PipelineSchedule.GPIPE, 4, SGD)),
                refused(
                        CombinationRule.GAP_NOT_WITH_GPIPE,
                        of(PipelineSchedule.GPIPE, 1, SGD).recompute().stash().penalizeGap(GAP)),
                refused(
                        CombinationRule.GAP_PER_MICRO_BATCH,
                        of(PipelineSchedule.ASYNC_1F1B, 2, SGD).stash().penalizeGap(GAP)),
                refused(
                        CombinationRule.GAP_OF_ADAM_NEEDS_STASH,
                        of(PipelineSchedule.ASYNC_1F1B, 1, ADAM).penalizeGap(GAP_AT_DEPTH_ONE)),
                refused(
                        CombinationRule.GAP_OF_ADAM_NEEDS_STASH,
                        of(PipelineSchedule.ASYNC_1F1B, 1, ADAM_W).penalizeGap(GAP)),
                refused(
                        CombinationRule.GAP_WITHOUT_STASH_AT_DEPTH_ONE,
                        of(PipelineSchedule.ASYNC_1F1B, 1, SGD).penalizeGap(GAP)),
                refused(
                        CombinationRule.LOSS_ONLY_NEEDS_STASH,
                        of(PipelineSchedule.ASYNC_1F1B, 1, SGD)
                                .recompute()
                                .penalizeGap(new GapPenalty(new GapAware(0.999f), Where.DEPTH_ONE, true))),
                refused(
                        CombinationRule.LOSS_ONLY_NEEDS_RECOMPUTATION,
                        of(PipelineSchedule.ASYNC_1F1B, 1, SGD).stash().penalizeGap(LOSS_ONLY)),
                refused(
                        CombinationRule.LOSS_ONLY_NOT_WITH_ADAMW,
                        of(PipelineSchedule.ASYNC_1F1B, 1, ADAM_W)
                                .stash()
                                .recompute()
                                .penalizeGap(LOSS_ONLY)),
                refused(
                        CombinationRule.GAP_FITS_OPTIMIZER,
                        of(PipelineSchedule.ASYNC_1F1B, 1, AMSGRAD).stash().penalizeGap(GAP)),
                refused(
                        CombinationRule.SCHEDULE_AWARE_IS_FOR_ADAM,
                        of(PipelineSchedule.ASYNC_1F1B, 1, DECAYED).predict(AWARE)),
                refused(
                        CombinationRule.PREDICTION_FITS_OPTIMIZER,
                        of(PipelineSchedule.ASYNC_1F1B, 1, DECAYED).predict(StagePrediction.of(Method.MSNAG))),
                refused(
                        CombinationRule.PREDICTION_FITS_OPTIMIZER,
                        of(PipelineSchedule.ASYNC_1F1B, 1, SGD).predict(StagePrediction.of(Method.AGGMSNAG))),
                refused(
                        CombinationRule.PREDICTION_FITS_OPTIMIZER,
                        of(PipelineSchedule.ASYNC_1F1B, 1, NESTEROV).predict(StagePrediction.of(Method.AGGMSNAG))),
                refused(
                        CombinationRule.NESTEROV_NEEDS_STALENESS,
                        of(PipelineSchedule.SYNC_1F1B, 1, SGD).predict(NESTEROV_MSNAG)),
                refused(
                        CombinationRule.NESTEROV_NEEDS_MOMENTUM,
                        of(PipelineSchedule.ASYNC_1F1B, 1, new SgdSettings(0, 0, false, 0))
                                .predict(NESTEROV_MSNAG)));
    }

    @ParameterizedTest
    @MethodSource("illegal")
    void shouldRefuseByItsRule(CombinationRule rule, Combination.Builder builder) {
        assertThatExceptionOfType(IllegalCombinationException.class)
                .isThrownBy(builder::build)
                .satisfies(refused -> assertThat(refused.rule()).isEqualTo(rule))
                .withMessageMatching(".+: (write|add|leave).+");
    }

    @Test
    void shouldHaveCaseForEachRule() {
        Set<Object> seen = new HashSet<>();
        illegal().forEach(arguments -> seen.add(arguments.get()[0]));

        assertThat(seen).isEqualTo(EnumSet.allOf(CombinationRule.class));
    }

    static Stream<Combination.Builder> legal() {
        StagePrediction msnag = StagePrediction.of(Method.MSNAG);
        StagePrediction aggmsnag = StagePrediction.of(Method.AGGMSNAG);
        return Stream.of(
                of(PipelineSchedule.ASYNC_1F1B, 1, NESTEROV),
                of(PipelineSchedule.ASYNC_1F1B, 4, NESTEROV).stash().recompute(),
                of(PipelineSchedule.PIPEDREAM, 1, SGD).stash(),
                of(PipelineSchedule.ASYNC_1F1B, 1, SGD).predict(msnag),
                of(PipelineSchedule.ASYNC_1F1B, 1, SGD).predict(NESTEROV_MSNAG),
                of(PipelineSchedule.ASYNC_1F1B, 2, DECAYED).predict(aggmsnag).stash(),
                of(PipelineSchedule.ASYNC_1F1B, 1, ADAM).predict(AWARE),
                of(PipelineSchedule.ASYNC_1F1B, 1, ADAM).predict(msnag),
                of(PipelineSchedule.ASYNC_1F1B, 1, ADAM_W)
                        .predict(AWARE)
                        .stash()
                        .penalizeGap(GAP),
                of(PipelineSchedule.ASYNC_1F1B, 1, SGD).penalizeGap(GAP_AT_DEPTH_ONE),
                of(PipelineSchedule.ASYNC_1F1B, 1, SGD).stash().penalizeGap(GAP),
                of(PipelineSchedule.ASYNC_1F1B, 1, ADAM).stash().recompute().penalizeGap(LOSS_ONLY),
                of(PipelineSchedule.ASYNC_1F1B, 1, DECAYED)
                        .stash()
                        .recompute()
                        .predict(aggmsnag)
                        .penalizeGap(LOSS_ONLY),
                of(PipelineSchedule.SEQUENTIAL, 1, DECAYED)
                        .stash()
                        .predict(aggmsnag)
                        .penalizeGap(GAP),
                of(PipelineSchedule.GPIPE, 4, DECAYED)
                        .recompute()
                        .stash()
                        .predict(aggmsnag)
                        .clip(1),
                of(PipelineSchedule.VIRTUAL_1F1B, 1, SGD).stash());
    }

    @ParameterizedTest
    @MethodSource("legal")
    void shouldTakeWhatReferenceTakes(Combination.Builder builder) {
        assertThat(builder.build()).isNotNull();
    }

    @Test
    void shouldGiveNesterovToLastStageInPlaceOfPrediction() {
        Combination combination =
                of(PipelineSchedule.ASYNC_1F1B, 1, SGD).predict(NESTEROV_MSNAG).build();

        assertThat(combination.optimizerAt(new StagePlace(2, 1))).isEqualTo(new SgdSettings(0.9f, 0, true, 0));
        assertThat(combination.predictionAt(new StagePlace(2, 1))).isEmpty();
        assertThat(combination.optimizerAt(new StagePlace(2, 0))).isEqualTo(SGD);
        assertThat(combination.predictionAt(new StagePlace(2, 0))).isEqualTo(Optional.of(NESTEROV_MSNAG));
    }

    @Test
    void shouldPenalizeOnChosenStagesOnly() {
        for (Where where : Where.values()) {
            Combination combination = of(PipelineSchedule.ASYNC_1F1B, 1, SGD)
                    .stash()
                    .penalizeGap(new GapPenalty(new GapAware(0.999f), where, false))
                    .build();
            boolean[] expected = switch (where) {
                case DEPTH_ONE -> new boolean[] {false, false, true, false};
                case ALL_BUT_LAST -> new boolean[] {true, true, true, false};
                case ALL_BUT_LAST_TWO -> new boolean[] {true, true, false, false};
            };
            for (int stage = 0; stage < 4; stage++) {
                assertThat(combination.gapPenaltyAt(new StagePlace(4, stage)).isPresent())
                        .isEqualTo(expected[stage]);
            }
        }
    }

    @Test
    void shouldRefuseNormThatIsNone() {
        for (float norm : new float[] {-1, Float.NaN, Float.POSITIVE_INFINITY}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            of(PipelineSchedule.ASYNC_1F1B, 1, SGD).clip(norm).build())
                    .withMessageContaining("it is " + norm);
        }
    }

    private static Arguments refused(CombinationRule rule, Combination.Builder builder) {
        return Arguments.of(rule, builder);
    }

    private static Combination.Builder of(PipelineSchedule schedule, int stepEvery, OptimizerSettings optimizer) {
        return Combination.builder(PipelineScheduleSettings.of(schedule, stepEvery), optimizer);
    }
}
