package org.fleetgrad.pipeline.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.data.Offset;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule.GapAware;
import org.fleetgrad.optim.WeightPrediction.Method;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cure.Combination.StagePrediction;
import org.fleetgrad.pipeline.cure.GapPenalty;
import org.fleetgrad.pipeline.cure.GapPenalty.Where;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.training.StageSettings.StepRates;
import org.junit.jupiter.api.Test;

/** T1 to T6, T14 to T16: which ways to train are the same, bit for bit, and which are not. */
class EquivalenceTest {

    private static final int MICRO_BATCHES = 12;

    /** T1. */
    @Test
    void shouldTrainOneStageLikePlainTraining() {
        for (OptimizerSettings optimizer : Combinations.OPTIMIZERS) {
            float[] plain = PlainTraining.trained(optimizer, 1, MICRO_BATCHES);
            for (PipelineSchedule schedule : PipelineSchedule.values()) {
                for (Combination combination : Combinations.legal(schedule, 1, optimizer)) {
                    assertThat(TinyPipeline.trained(1, combination, MICRO_BATCHES))
                            .as("%s", combination)
                            .isEqualTo(plain);
                }
            }
        }
    }

    /** With the prediction's Nesterov, the last stage has Nesterov's momentum itself, and one stage is the last one. */
    @Test
    void shouldTrainOneStageWithNesterovLikePlainTrainingWithNesterov() {
        Combination combination = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.DECAYED)
                .predict(new StagePrediction(Method.AGGMSNAG, true, false))
                .build();
        SgdSettings nesterov = new SgdSettings(0.9f, 0, true, Combinations.DECAYED.weightDecay());

        assertThat(TinyPipeline.trained(1, combination, MICRO_BATCHES))
                .isEqualTo(PlainTraining.trained(nesterov, 1, MICRO_BATCHES));
    }

    /** T2: and its bits are those of plain training, since each stage does plain training's arithmetic in its order. */
    @Test
    void shouldTrainSequentiallyLikePlainTrainingWhateverTheCut() {
        for (OptimizerSettings optimizer : Combinations.OPTIMIZERS) {
            for (int stepEvery : new int[] {1, 3}) {
                float[] plain = PlainTraining.trained(optimizer, stepEvery, MICRO_BATCHES);
                List<Combination> legal = Combinations.legal(PipelineSchedule.SEQUENTIAL, stepEvery, optimizer);
                assertThat(legal).hasSizeGreaterThan(4);
                for (Combination combination : legal) {
                    assertThat(TinyPipeline.trained(4, combination, MICRO_BATCHES))
                            .as("%s", combination)
                            .isEqualTo(plain);
                }
            }
        }
    }

    /** T3: first in, first out adds in plain training's order; last in, first out differs by rounding. */
    @Test
    void shouldTrainSynchronouslyLikePlainTraining() {
        for (int stepEvery : new int[] {1, 3, 4}) {
            float[] plain = PlainTraining.trained(Combinations.DECAYED, stepEvery, MICRO_BATCHES);
            for (int stages : new int[] {1, 2, 4, 8}) {
                Combination oneForwardOneBackward = Combinations.of(
                                PipelineSchedule.SYNC_1F1B, stepEvery, Combinations.DECAYED)
                        .build();
                Combination firstInFirstOut = Combination.builder(
                                new PipelineScheduleSettings(PipelineSchedule.GPIPE, stepEvery, 0, false),
                                Combinations.DECAYED)
                        .recompute()
                        .build();
                Combination lastInFirstOut = Combinations.of(PipelineSchedule.GPIPE, stepEvery, Combinations.DECAYED)
                        .build();

                assertThat(TinyPipeline.trained(stages, oneForwardOneBackward, MICRO_BATCHES))
                        .isEqualTo(plain);
                assertThat(TinyPipeline.trained(stages, firstInFirstOut, MICRO_BATCHES))
                        .isEqualTo(plain);
                float[] reversed = TinyPipeline.trained(stages, lastInFirstOut, MICRO_BATCHES);
                assertThat(reversed).containsExactly(plain, Offset.offset(1e-5f));
                if (stepEvery > 2) {
                    assertThat(reversed).isNotEqualTo(plain);
                }
            }
        }
    }

    /** T3: the micro-batches of a step are one batch, cut. */
    @Test
    void shouldTrainMicroBatchesOfStepLikeOneBatch() {
        SgdSettings optimizer = Combinations.DECAYED;
        Combination cut = Combinations.of(PipelineSchedule.GPIPE, 4, optimizer).build();

        float[] whole = PlainTraining.trainedOnWholeBatches(optimizer, 4, MICRO_BATCHES);

        assertThat(TinyPipeline.trained(4, cut, MICRO_BATCHES)).containsExactly(whole, Offset.offset(1e-5f));
    }

    /** T4: with stashed copies of the weights, a kept graph finds the same values as recomputation. */
    @Test
    void shouldStashSameWeightsForKeptGraphsAndForRecomputation() {
        for (OptimizerSettings optimizer : Combinations.OPTIMIZERS) {
            for (int stepEvery : new int[] {1, 2}) {
                for (int stages : new int[] {2, 4, 8}) {
                    Combination kept = Combinations.of(PipelineSchedule.ASYNC_1F1B, stepEvery, optimizer)
                            .stash()
                            .build();
                    Combination again = Combinations.of(PipelineSchedule.ASYNC_1F1B, stepEvery, optimizer)
                            .stash()
                            .recompute()
                            .build();

                    assertThat(TinyPipeline.trained(stages, kept, 20))
                            .isEqualTo(TinyPipeline.trained(stages, again, 20));
                }
            }
        }
    }

    /** T4, with predicted weights in the stash, and with the penalty on top. */
    @Test
    void shouldStashPredictedWeightsForKeptGraphsAndForRecomputation() {
        StagePrediction prediction = StagePrediction.of(Method.AGGMSNAG);
        Combination kept = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.DECAYED)
                .stash()
                .predict(prediction)
                .penalizeGap(GapPenalty.customary())
                .build();
        Combination again = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.DECAYED)
                .stash()
                .predict(prediction)
                .penalizeGap(GapPenalty.customary())
                .recompute()
                .build();

        assertThat(TinyPipeline.trained(4, kept, 20)).isEqualTo(TinyPipeline.trained(4, again, 20));
    }

    /** T4: without a stash the weights of a waiting graph change, and recomputation gives other results. */
    @Test
    void shouldMixVersionsWithoutStashUnlessRecomputed() {
        for (int stages : new int[] {2, 4}) {
            float[] mixed = TinyPipeline.trained(
                    stages,
                    Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.PLAIN)
                            .build(),
                    20);
            float[] recomputed = TinyPipeline.trained(
                    stages,
                    Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.PLAIN)
                            .recompute()
                            .build(),
                    20);
            float[] stashed = TinyPipeline.trained(
                    stages,
                    Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.PLAIN)
                            .stash()
                            .build(),
                    20);

            assertThat(distance(mixed, recomputed)).isGreaterThan(1e-4f);
            assertThat(distance(mixed, stashed)).isGreaterThan(1e-4f);
            assertThat(distance(recomputed, stashed)).isGreaterThan(1e-4f);
        }
    }

    /** T5: PipeDream's formula, and the table of section 3 for all other combinations. */
    @Test
    void shouldUseWeightsOfTable() {
        for (OptimizerSettings optimizer : Combinations.OPTIMIZERS) {
            for (int stepEvery : new int[] {1, 2, 3}) {
                for (Combination combination : Combinations.legal(PipelineSchedule.ASYNC_1F1B, stepEvery, optimizer)) {
                    if (combination.gapPenalty().isPresent() && !combination.stash()) {
                        // The gap is an estimate then, which the oracle does not make.
                        continue;
                    }
                    for (int stages : new int[] {2, 4}) {
                        assertThat(TinyPipeline.trained(stages, combination, 20))
                                .as("%d stages, %s", stages, combination)
                                .isEqualTo(DelayedTraining.trained(stages, combination, 20));
                    }
                }
            }
        }
    }

    /** FTPipe's order: the penalty first, and then the norm of what it left. */
    @Test
    void shouldClipGradientsThatGapPenaltyLeft() {
        for (float largest : new float[] {0.05f, 0.2f}) {
            Combination combination = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.PLAIN)
                    .stash()
                    .penalizeGap(GapPenalty.customary())
                    .clip(largest)
                    .build();

            assertThat(TinyPipeline.trained(4, combination, 20)).isEqualTo(DelayedTraining.trained(4, combination, 20));
        }
    }

    /** The table again: a graph that was kept keeps its predicted weights, as a stash would. */
    @Test
    void shouldGoBackwardOnPredictedWeightsWithStashOrKeptGraph() {
        StagePrediction prediction = StagePrediction.of(Method.AGGMSNAG);

        assertThat(run(builder().predict(prediction)))
                .isEqualTo(run(builder().predict(prediction).stash()));
    }

    /** T6. */
    @Test
    void shouldChangeNothingWithoutLearningRate() {
        for (OptimizerSettings optimizer : Combinations.OPTIMIZERS) {
            for (Combination combination : Combinations.legal(PipelineSchedule.ASYNC_1F1B, 1, optimizer)) {
                try (TinyPipeline pipeline = new TinyPipeline(2, combination, step -> 0, 0)) {
                    float[] before = pipeline.parameters();
                    pipeline.train(TinyData.of(MICRO_BATCHES));
                    assertThat(pipeline.parameters()).as("%s", combination).isEqualTo(before);
                }
            }
        }
    }

    /** T14. */
    @Test
    void shouldPredictNothingWithoutMomentum() {
        SgdSettings plain = new SgdSettings(0, 0, false, 0);
        Combination predicted = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, plain)
                .predict(StagePrediction.of(Method.MSNAG))
                .recompute()
                .build();
        Combination stale = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, plain)
                .recompute()
                .build();

        assertThat(TinyPipeline.trained(4, predicted, 20)).isEqualTo(TinyPipeline.trained(4, stale, 20));
    }

    /** T15, and a varying learning rate makes a difference. */
    @Test
    void shouldPredictBySchedule() {
        float[] unaware = trained(false, step -> TinyPipeline.RATE);
        assertThat(trained(true, step -> TinyPipeline.RATE)).isEqualTo(unaware);

        StepRates falling = step -> TinyPipeline.RATE / (1 + step);
        assertThat(trained(true, falling)).isNotEqualTo(trained(false, falling));
    }

    private static float[] trained(boolean isAware, StepRates rates) {
        Combination combination = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.ADAM)
                .predict(new StagePrediction(Method.AGGMSNAG, false, isAware))
                .build();
        try (TinyPipeline pipeline = new TinyPipeline(4, combination, rates, 0)) {
            pipeline.train(TinyData.of(MICRO_BATCHES));
            return pipeline.parameters();
        }
    }

    /** T16. */
    @Test
    void shouldHaveNoStalenessWithOneStepInWindow() {
        float[] synchronous = TinyPipeline.trained(
                4,
                Combinations.of(PipelineSchedule.GPIPE, 12, Combinations.DECAYED)
                        .build(),
                12);
        for (Combination combination : Combinations.legal(PipelineSchedule.ASYNC_1F1B, 12, Combinations.DECAYED)) {
            assertThat(TinyPipeline.trained(4, combination, 12))
                    .as("%s", combination)
                    .containsExactly(synchronous, Offset.offset(1e-5f));
        }
    }

    /** Each cure has an effect: no two of these give the same result. */
    @Test
    void shouldTrainDifferentlyWithEachCure() {
        GapPenalty lossOnly = new GapPenalty(new GapAware(0.999f), Where.ALL_BUT_LAST, true);
        StagePrediction prediction = StagePrediction.of(Method.AGGMSNAG);
        List<float[]> results = List.of(
                run(builder().recompute()),
                run(builder().stash().recompute()),
                run(builder().predict(prediction).recompute()),
                run(builder().stash().predict(prediction)),
                run(builder().stash().penalizeGap(GapPenalty.customary())),
                run(builder().stash().predict(prediction).penalizeGap(GapPenalty.customary())),
                run(builder().stash().recompute().penalizeGap(lossOnly)),
                run(builder().penalizeGap(new GapPenalty(new GapAware(0.999f), Where.DEPTH_ONE, false))),
                run(builder()
                        .predict(new StagePrediction(Method.AGGMSNAG, true, false))
                        .recompute()),
                run(builder().clip(0.1f)));
        for (int i = 0; i < results.size(); i++) {
            for (int j = 0; j < i; j++) {
                assertThat(distance(results.get(i), results.get(j)))
                        .as("%d and %d", i, j)
                        .isGreaterThan(1e-4f);
            }
        }
    }

    private static Combination.Builder builder() {
        return Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.DECAYED);
    }

    private static float[] run(Combination.Builder builder) {
        return TinyPipeline.trained(4, builder.build(), 20);
    }

    private static float distance(float[] some, float[] others) {
        float most = 0;
        for (int i = 0; i < some.length; i++) {
            most = Math.max(most, Math.abs(some[i] - others[i]));
        }
        return most;
    }
}
