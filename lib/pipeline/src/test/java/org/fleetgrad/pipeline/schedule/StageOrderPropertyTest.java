package org.fleetgrad.pipeline.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.fleetgrad.pipeline.schedule.ScheduleCases.Case;
import org.fleetgrad.pipeline.schedule.StageOrder.Op;
import org.fleetgrad.pipeline.schedule.StageOrder.Op.Kind;

/** T7, T8 and T9 for any number of stages up to nine. */
class StageOrderPropertyTest {

    @Provide
    Arbitrary<Case> cases() {
        return ScheduleCases.all();
    }

    @Property(tries = 2000)
    void shouldDoEachMicroBatchOnceForwardInOrderAndThenBackward(@ForAll("cases") Case one) {
        for (int stage = 0; stage < one.stages(); stage++) {
            List<Integer> forwards = new ArrayList<>();
            Set<Integer> backwards = new HashSet<>();
            for (Op op : one.order(stage).ops()) {
                if (op.kind() == Kind.FORWARD) {
                    assertThat(op.microBatch()).isEqualTo(forwards.size());
                    forwards.add(op.microBatch());
                } else {
                    assertThat(forwards).contains(op.microBatch());
                    if (!one.settings().lastFirst()) {
                        assertThat(op.microBatch()).isEqualTo(backwards.size());
                    }
                    assertThat(backwards.add(op.microBatch())).isTrue();
                }
            }
            assertThat(forwards).hasSize(one.microBatches());
            assertThat(backwards).hasSize(one.microBatches());
        }
    }

    @Property(tries = 2000)
    void shouldNeverHaveMoreUnderWayThanItsBound(@ForAll("cases") Case one) {
        for (int stage = 0; stage < one.stages(); stage++) {
            int depth = one.settings().depth(new StagePlace(one.stages(), stage));
            int bound = one.settings().schedule() == PipelineSchedule.GPIPE
                    ? one.settings().stepEvery()
                    : depth + 1;
            int ahead = 0;
            int most = 0;
            for (Op op : one.order(stage).ops()) {
                ahead += op.kind() == Kind.FORWARD ? 1 : -1;
                most = Math.max(most, ahead);
            }
            assertThat(most).isLessThanOrEqualTo(bound);
            assertThat(ahead).isZero();
            if (!one.settings().schedule().isSynchronous() && one.microBatches() > depth) {
                assertThat(most).isEqualTo(bound);
                String text = one.order(stage).text();
                assertThat(text.indexOf('B')).as("first B of %s", text).isEqualTo(depth + 1);
            }
        }
    }

    /** T8: counting steps while the order runs gives the closed forms, forward, backward and their difference. */
    @Property(tries = 2000)
    void shouldBeAsStaleAsClosedFormSays(@ForAll("cases") Case one) {
        StepRule rule = new StepRule(one.settings().stepEvery(), one.microBatches());
        for (int stage = 0; stage < one.stages(); stage++) {
            StageStaleness staleness = one.staleness(stage);
            int[] forwardVersions = new int[one.microBatches()];
            int version = 0;
            int backwards = 0;
            for (Op op : one.order(stage).ops()) {
                int i = op.microBatch();
                if (op.kind() == Kind.FORWARD) {
                    assertThat(version).isEqualTo(staleness.forwardVersion(i));
                    forwardVersions[i] = version;
                    continue;
                }
                assertThat(version).isEqualTo(staleness.backwardVersion(i));
                assertThat(version - forwardVersions[i])
                        .isEqualTo(staleness.at(i))
                        .isLessThanOrEqualTo(staleness.largest());
                if (rule.stepsAfter(backwards++)) {
                    version++;
                }
            }
            assertThat(version).isEqualTo(rule.steps());
        }
    }

    /** Section 2.1: in the steady state {@code q + (r < e ? 1 : 0)}, on average {@code d / k}. */
    @Property(tries = 500)
    void shouldBeStaleByDepthOverStepEveryOnAverage(@ForAll("cases") Case one) {
        for (int stage = 0; stage < one.stages(); stage++) {
            StageStaleness staleness = one.staleness(stage);
            int depth = staleness.depth();
            int every = staleness.stepEvery();
            int sum = 0;
            for (int i = depth * every; i < depth * every + every; i++) {
                assertThat(staleness.at(i)).isEqualTo(depth / every + (i % every < depth % every ? 1 : 0));
                sum += staleness.at(i);
            }
            assertThat(sum).isEqualTo(depth);
        }
    }

    @Property(tries = 500)
    void shouldGiveTheSameOrderToPipedreamAndToOneForwardOneBackward(@ForAll("cases") Case one) {
        int every = one.settings().stepEvery();
        for (int stage = 0; stage < one.stages(); stage++) {
            StagePlace place = new StagePlace(one.stages(), stage);
            StageOrder pipedream = new StageOrder(
                    PipelineScheduleSettings.of(PipelineSchedule.PIPEDREAM, every), place, one.microBatches());
            StageOrder other = new StageOrder(
                    PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, every), place, one.microBatches());
            assertThat(pipedream.ops()).isEqualTo(other.ops());
        }
    }

    /** T9: distinct versions of the micro-batches in flight between forward and backward, including the current one. */
    @Property(tries = 2000)
    void shouldReachBoundOfLiveVersionsInLongWindows(@ForAll("cases") Case one) {
        for (int stage = 0; stage < one.stages(); stage++) {
            StageStaleness staleness = one.staleness(stage);
            int most = 1;
            int version = 0;
            int backwards = 0;
            List<Integer> underWay = new ArrayList<>();
            StepRule rule = new StepRule(one.settings().stepEvery(), one.microBatches());
            for (Op op : one.order(stage).ops()) {
                if (op.kind() == Kind.FORWARD) {
                    underWay.add(op.microBatch());
                } else {
                    underWay.remove(Integer.valueOf(op.microBatch()));
                    if (rule.stepsAfter(backwards++)) {
                        version++;
                    }
                }
                Set<Integer> alive = new HashSet<>(Set.of(version));
                underWay.forEach(i -> alive.add(staleness.forwardVersion(i)));
                most = Math.max(most, alive.size());
            }
            assertThat(most).isLessThanOrEqualTo(staleness.liveVersions());
            if (one.microBatches() >= 2 * staleness.depth() + staleness.stepEvery()) {
                assertThat(most).isEqualTo(staleness.liveVersions());
            }
        }
    }
}
