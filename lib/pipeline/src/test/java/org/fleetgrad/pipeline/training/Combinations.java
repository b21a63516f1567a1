package org.fleetgrad.pipeline.training;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule.GapAware;
import org.fleetgrad.optim.WeightPrediction.Method;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cure.Combination.StagePrediction;
import org.fleetgrad.pipeline.cure.CombinationRule.IllegalCombinationException;
import org.fleetgrad.pipeline.cure.GapPenalty;
import org.fleetgrad.pipeline.cure.GapPenalty.Where;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;

/** Ways to train, for tests that run all of them. */
final class Combinations {

    static final SgdSettings PLAIN = new SgdSettings(0.9f, 0, false, 0);
    static final SgdSettings DECAYED = new SgdSettings(0.9f, 0, false, 1e-2f);
    static final AdamSettings ADAM = new AdamSettings(0.9f, 0.99f, 1e-3f, 1e-2f, false);
    static final AdamWSettings ADAM_W = new AdamWSettings(0.9f, 0.99f, 1e-3f, 1e-2f, false);
    static final List<OptimizerSettings> OPTIMIZERS = List.of(PLAIN, DECAYED, ADAM, ADAM_W);

    private Combinations() {}

    static Combination.Builder of(PipelineSchedule schedule, int stepEvery, OptimizerSettings optimizer) {
        Combination.Builder builder = Combination.builder(PipelineScheduleSettings.of(schedule, stepEvery), optimizer);
        return schedule == PipelineSchedule.GPIPE ? builder.recompute() : builder;
    }

    /** Returns every legal combination of cures, without Nesterov, with a schedule and an optimizer. */
    static List<Combination> legal(PipelineSchedule schedule, int stepEvery, OptimizerSettings optimizer) {
        List<Combination> legal = new ArrayList<>();
        for (int bits = 0; bits < 4; bits++) {
            for (int predict = 0; predict < 4; predict++) {
                for (int gap = 0; gap < 4; gap++) {
                    Combination.Builder builder =
                            Combination.builder(PipelineScheduleSettings.of(schedule, stepEvery), optimizer);
                    if ((bits & 1) != 0) {
                        builder.stash();
                    }
                    if ((bits & 2) != 0) {
                        builder.recompute();
                    }
                    if (predict > 0) {
                        Method method = predict == 1 ? Method.MSNAG : Method.AGGMSNAG;
                        builder.predict(new StagePrediction(method, false, predict == 3));
                    }
                    if (gap > 0) {
                        Where where = gap == 1 ? Where.DEPTH_ONE : Where.ALL_BUT_LAST;
                        builder.penalizeGap(new GapPenalty(new GapAware(0.999f), where, gap == 3));
                    }
                    built(builder).ifPresent(legal::add);
                }
            }
        }
        return legal;
    }

    /** Empty if the combination is illegal; another test covers which ones are. */
    private static Optional<Combination> built(Combination.Builder builder) {
        try {
            return Optional.of(builder.build());
        } catch (IllegalCombinationException illegal) {
            return Optional.empty();
        }
    }
}
