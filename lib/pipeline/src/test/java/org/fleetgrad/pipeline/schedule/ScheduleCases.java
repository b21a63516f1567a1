package org.fleetgrad.pipeline.schedule;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Schedules with their numbers, and pipelines of up to nine stages. */
public final class ScheduleCases {

    private ScheduleCases() {}

    /** A window of a complete pipeline. */
    public record Case(PipelineScheduleSettings settings, int stages, int microBatches) {

        /** Returns the order of one stage. */
        public StageOrder order(int stage) {
            return new StageOrder(settings, new StagePlace(stages, stage), microBatches);
        }

        /** Returns the staleness of one stage. */
        public StageStaleness staleness(int stage) {
            return StageStaleness.of(settings, new StagePlace(stages, stage));
        }
    }

    /** Returns cases of all schedules. */
    public static Arbitrary<Case> all() {
        return Combinators.combine(
                        Arbitraries.of(PipelineSchedule.class),
                        Arbitraries.integers().between(1, 9),
                        Arbitraries.integers().between(1, 8),
                        Arbitraries.integers().between(0, 40),
                        Arbitraries.integers().between(0, 11),
                        Arbitraries.of(true, false))
                .as((schedule, stages, stepEvery, microBatches, supremum, lastFirst) -> new Case(
                        new PipelineScheduleSettings(
                                schedule,
                                stepEvery,
                                schedule == PipelineSchedule.VIRTUAL_1F1B ? supremum : 0,
                                schedule == PipelineSchedule.GPIPE && lastFirst),
                        stages,
                        microBatches));
    }
}
