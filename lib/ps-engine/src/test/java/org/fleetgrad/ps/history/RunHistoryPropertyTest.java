package org.fleetgrad.ps.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class RunHistoryPropertyTest {

    @Property(tries = 60)
    void shouldBeInOrderBoundedAndEndWithTheNewestPoint(
            @ForAll @Size(min = 1, max = 40) List<@LongRange(min = -500, max = 20_000) Long> pauses,
            @ForAll @Size(min = 1, max = 40) List<@IntRange(max = 3) Integer> steps,
            @ForAll @IntRange(min = 1, max = 6000) int number) {
        RunHistory history = new RunHistory();
        long time = 0;
        long version = 0;
        for (int i = 0; i < number; i++) {
            time += pauses.get(i % pauses.size());
            version += steps.get(i % steps.size());
            history.add(new RunHistory.Point(
                    time, i == 0, version, version * 7, Optional.of(1.0 / (version + 1)), version, 0, 1, Map.of()));
        }

        List<RunHistory.Point> points = history.state().points();
        assertThat(points).hasSizeLessThanOrEqualTo(RunHistory.MAX_POINTS);
        assertThat(points.get(points.size() - 1).version()).isEqualTo(version);
        for (int i = 1; i < points.size(); i++) {
            assertThat(points.get(i).timeMs())
                    .isGreaterThanOrEqualTo(points.get(i - 1).timeMs());
            assertThat(points.get(i).samples())
                    .isGreaterThanOrEqualTo(points.get(i - 1).samples());
        }
    }
}
