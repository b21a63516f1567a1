package org.fleetgrad.pipeline.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.data.Offset;
import org.fleetgrad.optim.WeightPrediction.Method;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cure.Combination.StagePrediction;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.schedule.StageStaleness;
import org.fleetgrad.pipeline.timeline.Span;
import org.fleetgrad.pipeline.timeline.Span.Activity;
import org.fleetgrad.pipeline.training.WindowReport.StageFigures;
import org.junit.jupiter.api.Test;

/** T8, T9 and T25: compares what running stages did with the closed forms. */
class StageLoopTest {

    private static final int MICRO_BATCHES = 21;

    @Test
    void shouldRecordVersionsAndStalenessOfClosedForm() {
        for (PipelineSchedule schedule : PipelineSchedule.values()) {
            for (int stepEvery : new int[] {1, 2, 3, 4}) {
                var builder = Combinations.of(schedule, stepEvery, Combinations.PLAIN);
                recordsClosedForms(builder.stash().build());
            }
        }
    }

    private static void recordsClosedForms(Combination combination) {
        PipelineScheduleSettings schedule = combination.schedule();
        try (TinyPipeline pipeline = new TinyPipeline(4, combination)) {
            WindowReport report = pipeline.train(TinyData.of(MICRO_BATCHES));
            for (int stage = 0; stage < 4; stage++) {
                StageStaleness expected = StageStaleness.of(schedule, new StagePlace(4, stage));
                List<Span> spans = report.timeline().of(stage);
                for (Span span : spans) {
                    int i = (int) span.microBatch();
                    if (span.activity() == Activity.STEP) {
                        continue;
                    }
                    // Backward on the stash: both passes use the version of the forward one.
                    assertThat(span.weights())
                            .as("%s of stage %d with %s", span, stage, schedule)
                            .isEqualTo(expected.forwardVersion(i));
                    if (span.activity() == Activity.BACKWARD) {
                        assertThat(span.staleness()).isEqualTo(expected.at(i));
                    }
                }
                StageFigures figures = report.stages().get(stage);
                int steps = (MICRO_BATCHES + schedule.stepEvery() - 1) / schedule.stepEvery();
                assertThat(figures.steps()).isEqualTo(steps);
                assertThat(pipeline.stages.get(stage).state().steps()).isEqualTo(steps);
                assertThat(figures.microBatches()).isEqualTo(MICRO_BATCHES);
                assertThat(figures.mostVersions()).isEqualTo(expected.liveVersions());
                assertThat(figures.mostCopies()).isEqualTo(expected.liveVersions());
                if (!schedule.schedule().isSynchronous()) {
                    assertThat(figures.mostInFlight()).isEqualTo(expected.depth() + 1);
                }
            }
        }
    }

    @Test
    void shouldUsePresentWeightsBackwardWithoutStash() {
        Combination combination = Combinations.of(PipelineSchedule.ASYNC_1F1B, 2, Combinations.PLAIN)
                .recompute()
                .build();
        try (TinyPipeline pipeline = new TinyPipeline(4, combination)) {
            WindowReport report = pipeline.train(TinyData.of(MICRO_BATCHES));
            for (Span span : report.timeline().of(0)) {
                int i = (int) span.microBatch();
                long expected = span.activity() == Activity.FORWARD ? Math.max(0, i - 3) / 2 : i / 2;
                if (span.activity() != Activity.STEP) {
                    assertThat(span.weights()).isEqualTo(expected);
                }
            }
            assertThat(report.stages().get(0).mostCopies()).isEqualTo(1);
        }
    }

    /** Section 2.2: one copy for each micro-batch in flight; the optimizer has the true weights, which need no copy. */
    @Test
    void shouldKeepOneCopyForEachPredictedMicroBatch() {
        Combination combination = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.PLAIN)
                .stash()
                .predict(StagePrediction.of(Method.MSNAG))
                .build();
        try (TinyPipeline pipeline = new TinyPipeline(4, combination)) {
            WindowReport report = pipeline.train(TinyData.of(MICRO_BATCHES));
            for (int stage = 0; stage < 4; stage++) {
                int depth = 3 - stage;
                assertThat(report.stages().get(stage).mostCopies()).isEqualTo(depth + 1);
                for (Span span : report.timeline().of(stage)) {
                    if (span.activity() == Activity.FORWARD) {
                        assertThat(span.predicted()).isEqualTo(Math.min((int) span.microBatch(), depth));
                    }
                }
            }
        }
    }

    @Test
    void shouldKeepOneGraphAtATimeWhereItRecomputes() {
        Combination kept = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.PLAIN)
                .build();
        Combination again = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.PLAIN)
                .recompute()
                .build();
        try (TinyPipeline one = new TinyPipeline(4, kept);
                TinyPipeline other = new TinyPipeline(4, again)) {
            one.train(TinyData.of(MICRO_BATCHES));
            other.train(TinyData.of(MICRO_BATCHES));

            assertThat(one.networks).map(network -> network.mostGraphs).containsExactly(4, 3, 2, 1);
            assertThat(one.networks).map(network -> network.recomputations).containsOnly(0);
            assertThat(other.networks).map(network -> network.mostGraphs).containsOnly(1);
            assertThat(other.networks)
                    .map(network -> network.recomputations)
                    .containsExactly(MICRO_BATCHES, MICRO_BATCHES, MICRO_BATCHES, 0);
        }
    }

    /** T25: the state advances once per micro-batch, and recomputation reproduces the dropout masks. */
    @Test
    void shouldRecomputeWithSameMasksAndLeaveStateAlone() {
        try (TinyPipeline kept = dropping(false);
                TinyPipeline again = dropping(true);
                TinyPipeline none = new TinyPipeline(
                        4,
                        Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.PLAIN)
                                .stash()
                                .build())) {
            kept.train(TinyData.of(MICRO_BATCHES));
            again.train(TinyData.of(MICRO_BATCHES));
            none.train(TinyData.of(MICRO_BATCHES));

            assertThat(again.parameters()).isEqualTo(kept.parameters()).isNotEqualTo(none.parameters());
            for (int stage = 0; stage < 4; stage++) {
                float[] state = again.stages.get(stage).state().state();
                assertThat(state).isEqualTo(kept.stages.get(stage).state().state());
                assertThat(state[1]).isEqualTo(MICRO_BATCHES);
            }
        }
    }

    private static TinyPipeline dropping(boolean isRecomputed) {
        var builder = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.PLAIN)
                .stash();
        if (isRecomputed) {
            builder.recompute();
        }
        return new TinyPipeline(4, builder.build(), step -> TinyPipeline.RATE, 0.3f);
    }

    @Test
    void shouldTrainOnTheRemainder() {
        Combination scaled = Combinations.of(PipelineSchedule.ASYNC_1F1B, 4, Combinations.PLAIN)
                .build();

        assertThat(TinyPipeline.trained(4, scaled, 10)).isNotEqualTo(TinyPipeline.trained(4, scaled, 8));
    }

    /** Each micro-batch counts once, in every window, however many forward passes it takes. */
    @Test
    void shouldCountTheSamplesThatWereRight() {
        TinyData window = new TinyData(0, MICRO_BATCHES, 8);
        double right = 0;
        try (TinyPipeline alone = frozen(1, PipelineSchedule.SEQUENTIAL)) {
            for (int i = 0; i < MICRO_BATCHES; i++) {
                right += 8 * alone.train(new TinyData(i, 1, 8)).stages().get(0).accuracy();
            }
        }
        assertThat(right).isBetween(1.0, MICRO_BATCHES * 8 - 1.0);

        for (PipelineSchedule schedule : List.of(PipelineSchedule.ASYNC_1F1B, PipelineSchedule.GPIPE)) {
            try (TinyPipeline pipeline = frozen(4, schedule)) {
                for (int again = 0; again < 2; again++) {
                    List<StageFigures> stages = pipeline.train(window).stages();
                    assertThat(stages.get(0).accuracy()).isNaN();
                    assertThat(stages.get(3).accuracy()).isCloseTo(right / (MICRO_BATCHES * 8), Offset.offset(1e-9));
                }
            }
        }
    }

    /** Its weights never change. */
    private static TinyPipeline frozen(int stages, PipelineSchedule schedule) {
        Combination combination =
                Combinations.of(schedule, 1, Combinations.PLAIN).recompute().build();
        return new TinyPipeline(stages, combination, step -> 0, 0);
    }

    @Test
    void shouldLearn() {
        Combination combination = Combinations.of(PipelineSchedule.ASYNC_1F1B, 1, Combinations.PLAIN)
                .stash()
                .build();
        try (TinyPipeline pipeline = new TinyPipeline(2, combination, step -> 0.02f, 0)) {
            double first = pipeline.train(new TinyData(0, 40, 8)).meanLoss();
            double last = first;
            for (int window = 1; window < 10; window++) {
                last = pipeline.train(new TinyData(window * 40L, 40, 8)).meanLoss();
            }

            assertThat(last).isLessThan(first * 0.7);
        }
    }
}
