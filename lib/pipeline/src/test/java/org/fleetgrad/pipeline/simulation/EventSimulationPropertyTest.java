package org.fleetgrad.pipeline.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.assertj.core.data.Offset;
import org.fleetgrad.pipeline.schedule.ClosedForms;
import org.fleetgrad.pipeline.schedule.ScheduleCases;
import org.fleetgrad.pipeline.schedule.ScheduleCases.Case;
import org.fleetgrad.pipeline.simulation.EventSimulation.StageTimes;
import org.fleetgrad.pipeline.timeline.Span;
import org.fleetgrad.pipeline.timeline.Span.Activity;
import org.fleetgrad.pipeline.timeline.Timeline;

class EventSimulationPropertyTest {

    @Provide
    Arbitrary<Case> cases() {
        return ScheduleCases.all();
    }

    @Property(tries = 1000)
    void shouldTakeExactlyAsLongAsClosedForm(
            @ForAll("cases") Case one,
            @ForAll @IntRange(min = 1, max = 4) int forward,
            @ForAll @IntRange(min = 1, max = 7) int backward) {
        Timeline timeline = run(one, forward, backward);

        OptionalDouble makespan =
                ClosedForms.makespan(one.settings(), one.stages(), one.microBatches(), forward, backward);
        if (makespan.isPresent()) {
            assertThat((double) timeline.makespan()).isEqualTo(makespan.getAsDouble());
            double bubble = ClosedForms.bubble(one.settings(), one.stages(), one.microBatches(), forward, backward)
                    .orElseThrow();
            assertThat(timeline.bubble()).isEqualTo(bubble, Offset.offset(1e-12));
        }
    }

    /** Deadlock-free, and no operation before its input. */
    @Property(tries = 1000)
    void shouldDoEverythingInCausalOrder(@ForAll("cases") Case one) {
        Timeline timeline = run(one, 2, 3);

        assertThat(timeline.spans()).hasSize(2 * one.stages() * one.microBatches());
        long[][] forwardEnds = new long[one.stages()][one.microBatches()];
        long[][] backwardEnds = new long[one.stages()][one.microBatches()];
        for (Span span : timeline.spans()) {
            (span.activity() == Activity.FORWARD ? forwardEnds : backwardEnds)[span.stage()][(int) span.microBatch()] =
                    span.end();
        }
        for (Span span : timeline.spans()) {
            int i = (int) span.microBatch();
            if (span.activity() == Activity.FORWARD) {
                assertThat(span.start())
                        .isGreaterThanOrEqualTo(span.stage() == 0 ? 0 : forwardEnds[span.stage() - 1][i]);
            } else {
                assertThat(span.start()).isGreaterThanOrEqualTo(forwardEnds[span.stage()][i]);
                assertThat(span.start())
                        .isGreaterThanOrEqualTo(
                                span.stage() == one.stages() - 1 ? 0 : backwardEnds[span.stage() + 1][i]);
            }
        }
    }

    private static Timeline run(Case one, int forward, int backward) {
        List<StageTimes> times = Collections.nCopies(one.stages(), new StageTimes(forward, backward));
        return EventSimulation.run(one.settings(), one.microBatches(), times);
    }
}
