package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.WeightPrediction.Method;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cure.Combination.StagePrediction;
import org.fleetgrad.pipeline.cure.CombinationRule.IllegalCombinationException;
import org.fleetgrad.pipeline.cure.GapPenalty;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.training.ThreadedPipeline;
import org.fleetgrad.pipeline.training.WindowReport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tied weights under every stale schedule with every legal set of cures. */
@Tag("whole")
class TiedCombinationsTest {

    private static final OptimizerSettings DECAYING = new SgdSettings(0.9f, 0, false, 5e-4f);

    /** Every stale combination that is not refused, over two windows: the second one needs no copy of the first. */
    @ParameterizedTest
    @MethodSource("stale")
    void shouldTrainWithEachStaleCombination(Combination combination) throws Exception {
        TestBatch batch = TiedPipelineTest.batches(1).get(0);
        List<TestBatch> same = IntStream.range(0, 16).mapToObj(i -> batch).toList();
        int stages = combination.stash() || combination.gapPenalty().isEmpty() ? 4 : 2;
        try (ThreadedPipeline pipeline = TiedPipelineTest.pipeline(stages, combination)) {
            WindowReport first = pipeline.train(TiedPipelineTest.window(same));
            WindowReport second = pipeline.train(TiedPipelineTest.window(same));

            assertThat(second.meanLoss()).isLessThan(first.meanLoss() - 0.02);
        }
    }

    static Stream<Combination> stale() {
        List<Combination> legal = new ArrayList<>();
        for (int choice = 0; choice < 2 * 2 * 3 * 3 * 3 * 4; choice++) {
            int left = choice;
            boolean isStashing = left % 2 == 1;
            left /= 2;
            boolean isRecomputing = left % 2 == 1;
            left /= 2;
            int predicts = left % 3;
            left /= 3;
            int penalizes = left % 3;
            left /= 3;
            PipelineScheduleSettings schedule = List.of(
                            PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, 1),
                            PipelineScheduleSettings.of(PipelineSchedule.PIPEDREAM, 2),
                            new PipelineScheduleSettings(PipelineSchedule.VIRTUAL_1F1B, 1, 3, false))
                    .get(left % 3);
            left /= 3;
            OptimizerSettings optimizer = List.of(
                            TiedPipelineTest.SGD, DECAYING, TiedPipelineTest.ADAM, TiedPipelineTest.ADAMW)
                    .get(left);
            GapPenalty usual = GapPenalty.customary();
            GapPenalty.Where where = isStashing ? usual.where() : GapPenalty.Where.DEPTH_ONE;
            try {
                legal.add(new Combination(
                        schedule,
                        optimizer,
                        isStashing,
                        predicts == 0
                                ? Optional.empty()
                                : Optional.of(StagePrediction.of(predicts == 1 ? Method.MSNAG : Method.AGGMSNAG)),
                        penalizes == 0
                                ? Optional.empty()
                                : Optional.of(new GapPenalty(usual.rule(), where, penalizes == 2)),
                        isRecomputing,
                        0));
            } catch (IllegalCombinationException refused) {
                // CombinationTest has these.
            }
        }
        return legal.stream();
    }
}
