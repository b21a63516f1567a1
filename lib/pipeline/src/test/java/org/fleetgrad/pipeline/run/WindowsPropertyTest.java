package org.fleetgrad.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.fleetgrad.pipeline.run.BatchOrder.BatchPlace;
import org.fleetgrad.pipeline.run.Windows.Window;

class WindowsPropertyTest {

    @Property(tries = 300)
    void shouldHaveEachSampleOfAnEpochOnce(
            @ForAll @Size(min = 1, max = 5) List<@IntRange(min = 1, max = 40) Integer> shards,
            @ForAll @IntRange(min = 1, max = 9) int microBatch,
            @ForAll boolean avoidsSingles) {
        BatchOrder order = new BatchOrder(shards, microBatch, avoidsSingles);
        Set<List<Integer>> seen = new HashSet<>();
        long before = 0;
        for (int i = 0; i < order.perEpoch(); i++) {
            BatchPlace place = order.at(i + 3L * order.perEpoch());
            assertThat(place.epoch()).isEqualTo(3);
            assertThat(place.count()).isBetween(1, microBatch);
            assertThat(order.samplesBefore(i)).isEqualTo(before);
            for (int sample = 0; sample < place.count(); sample++) {
                assertThat(seen.add(List.of(place.shard(), place.from() + sample)))
                        .isTrue();
            }
            before += place.count();
            boolean isAlone = place.count() == 1 && shards.get(place.shard()) > 1 && microBatch > 2;
            assertThat(avoidsSingles && isAlone).isFalse();
        }
        assertThat(before)
                .isEqualTo(shards.stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(order.samplesPerEpoch());
    }

    @Property(tries = 500)
    void shouldCutTheWholeRunIntoWindowsThatEndSteps(
            @ForAll @IntRange(min = 1, max = 60) int samples,
            @ForAll @IntRange(min = 1, max = 5) int stepEvery,
            @ForAll @IntRange(min = 0, max = 7) int flushEvery,
            @ForAll @IntRange(min = 1, max = 3) int epochs,
            @ForAll @IntRange(min = 0, max = 40) int maxSteps) {
        BatchOrder order = new BatchOrder(List.of(samples), 2, false);
        Windows windows = new Windows(order, stepEvery, flushEvery, epochs, maxSteps);
        long at = 0;
        long steps = 0;
        List<Long> flushes = new ArrayList<>();
        for (Optional<Window> next = windows.at(0); next.isPresent(); next = windows.at(at)) {
            Window window = next.get();
            assertThat(window.from()).isEqualTo(at);
            assertThat(window.count()).isPositive();
            at = window.end();
            // Each window makes its own steps, and the last one of it may be smaller.
            steps += (window.count() + stepEvery - 1) / stepEvery;
            assertThat(windows.steps(at)).isEqualTo(steps);
            assertThat(windows.firstOf(windows.steps(window.from()))).isEqualTo(window.from());
            flushes.add(steps);
        }
        assertThat(at).isEqualTo(windows.end());
        long all = (long) epochs * windows.stepsPerEpoch();
        assertThat(steps).isEqualTo(maxSteps == 0 ? all : Math.min(all, maxSteps));
        for (long epoch = 1; epoch * windows.stepsPerEpoch() <= steps; epoch++) {
            assertThat(flushes).contains(epoch * windows.stepsPerEpoch());
        }
        for (int i = 1; flushEvery > 0 && i < flushes.size(); i++) {
            assertThat(flushes.get(i) - flushes.get(i - 1)).isLessThanOrEqualTo(flushEvery);
        }
    }
}
