package org.fleetgrad.pipeline.schedule;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Schedules with their numbers, and pipelines of up to nine stages. */
public final class ScheduleCases {

    private ScheduleCases() {}

    /** A window of a complete pipeline. */
    public record Case(ScheduleSettings settings, int stages, int microBatches) {

        /** Returns the order of one stage. */
        public StageOrder order(int stage) {
            return new StageOrder(settings, new StagePlace(stages, stage), microBatches);
        }

        /** Returns the staleness of one stage. */
        public Staleness staleness(int stage) {
            return Staleness.of(settings, new StagePlace(stages, stage));
        }
    }

    /** Returns cases of all schedules. */
    public static Arbitrary<Case> all() {
        return Combinators.combine(
                        Arbitraries.of(Schedule.class),
                        Arbitraries.integers().between(1, 9),
                        Arbitraries.integers().between(1, 8),
                        Arbitraries.integers().between(0, 40),
                        Arbitraries.integers().between(0, 11),
                        Arbitraries.of(true, false))
                .as((schedule, stages, stepEvery, microBatches, supremum, lastFirst) -> new Case(
                        new ScheduleSettings(
                                schedule,
                                stepEvery,
                                schedule == Schedule.VIRTUAL_1F1B ? supremum : 0,
                                schedule == Schedule.GPIPE && lastFirst),
                        stages,
                        microBatches));
    }
}
