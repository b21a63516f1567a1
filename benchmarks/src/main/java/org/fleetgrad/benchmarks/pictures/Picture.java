package org.fleetgrad.benchmarks.pictures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule.GapAware;
import org.fleetgrad.optim.WeightPrediction.Method;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cure.Combination.StagePrediction;
import org.fleetgrad.pipeline.cure.GapPenalty;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.schedule.StageStaleness;
import org.fleetgrad.pipeline.simulation.EventSimulation;
import org.fleetgrad.pipeline.simulation.EventSimulation.StageTimes;
import org.fleetgrad.pipeline.timeline.Span;
import org.fleetgrad.pipeline.timeline.Span.Activity;
import org.fleetgrad.pipeline.timeline.Timeline;

/**
 * The pictures of docs/pipeline-cures.md: four stages, eight micro-batches, a forward pass of one unit, a backward pass
 * of two, and three if the activations are computed again.
 */
enum Picture {
    SEQUENTIAL(of(PipelineSchedule.SEQUENTIAL, 1, 0)),
    GPIPE(of(PipelineSchedule.GPIPE, 4, 0).recompute()),
    SYNC_1F1B(of(PipelineSchedule.SYNC_1F1B, 4, 0)),
    ASYNC_1F1B(of(PipelineSchedule.ASYNC_1F1B, 1, 0)),
    PIPEDREAM(of(PipelineSchedule.PIPEDREAM, 1, 0).stash()),
    VIRTUAL_1F1B(of(PipelineSchedule.VIRTUAL_1F1B, 1, 3)),
    STASH(of(PipelineSchedule.ASYNC_1F1B, 1, 0).stash()),
    MSNAG(of(PipelineSchedule.ASYNC_1F1B, 1, 0)
            .predict(StagePrediction.of(Method.MSNAG))
            .recompute()),
    AGGMSNAG(Combination.builder(
                    PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, 2), new SgdSettings(0.9f, 0, false, 5e-4f))
            .predict(StagePrediction.of(Method.AGGMSNAG))
            .stash()),
    GAP_AWARE(of(PipelineSchedule.ASYNC_1F1B, 1, 0)
            .stash()
            .predict(StagePrediction.of(Method.MSNAG))
            .penalizeGap(GapPenalty.customary())),
    GAP_AWARE_LOSS(of(PipelineSchedule.ASYNC_1F1B, 1, 0)
            .stash()
            .recompute()
            .penalizeGap(new GapPenalty(new GapAware(0.999f), GapPenalty.Where.ALL_BUT_LAST, true))),
    RECOMPUTE(of(PipelineSchedule.ASYNC_1F1B, 1, 0).recompute());

    static final int STAGES = 4;
    static final int MICRO_BATCHES = 8;
    private static final long UNIT = 1_000_000;

    /** A record of settings. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Combination combination;

    Picture(Combination.Builder builder) {
        this.combination = builder.build();
    }

    private static Combination.Builder of(PipelineSchedule schedule, int stepEvery, int supremum) {
        return Combination.builder(
                new PipelineScheduleSettings(schedule, stepEvery, supremum, schedule == PipelineSchedule.GPIPE),
                new SgdSettings(0.9f, 0, false, 0));
    }

    Combination combination() {
        return combination;
    }

    String fileName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-') + ".svg";
    }

    /** Returns what happens, with the weights that the cures choose. */
    Timeline timeline() {
        List<StageTimes> times = new ArrayList<>();
        for (int stage = 0; stage < STAGES; stage++) {
            times.add(new StageTimes(UNIT, isRecomputing(new StagePlace(STAGES, stage)) ? 3 * UNIT : 2 * UNIT));
        }
        Timeline bare = EventSimulation.run(combination.schedule(), MICRO_BATCHES, times);
        return new Timeline(STAGES, bare.spans().stream().map(this::cured).toList());
    }

    /** Of a last stage only gpipe's computes again; there all micro-batches but the last of each step, drawn alike. */
    private boolean isRecomputing(StagePlace place) {
        return combination.recompute() && (!place.isLast() || this == GPIPE);
    }

    /** Returns a span with the weights of {@link Combination}'s table. */
    private Span cured(Span span) {
        StagePlace place = new StagePlace(STAGES, span.stage());
        StageStaleness staleness = StageStaleness.of(combination.schedule(), place);
        int microBatch = (int) span.microBatch();
        int horizon = combination.predictionAt(place).isPresent() ? staleness.at(microBatch) : 0;
        boolean isForward = span.activity() == Activity.FORWARD;
        boolean usesForwards =
                isForward || (isRecomputing(place) ? usesStashInBackward(place) : combination.stash() || horizon > 0);
        long weights = usesForwards ? staleness.forwardVersion(microBatch) : staleness.backwardVersion(microBatch);
        return new Span(
                span.stage(),
                span.activity(),
                span.microBatch(),
                weights,
                usesForwards ? horizon : 0,
                span.staleness(),
                span.start(),
                span.end());
    }

    private boolean usesStashInBackward(StagePlace place) {
        Optional<GapPenalty> forLossOnly = combination.gapPenaltyAt(place).filter(GapPenalty::onlyForLoss);
        return combination.stash() && forLossOnly.isEmpty();
    }
}
