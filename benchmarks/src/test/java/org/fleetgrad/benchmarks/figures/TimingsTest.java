package org.fleetgrad.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimingsTest {

    @Test
    void shouldFindPercentilesByTheNearestRank() {
        Timings hundred = new Timings(
                IntStream.rangeClosed(1, 100).mapToDouble(i -> 101 - i).toArray());

        assertThat(hundred.percentile(0.99)).isEqualTo(99);
        assertThat(hundred.percentile(1)).isEqualTo(100);
        assertThat(hundred.percentile(0.5)).isEqualTo(50);
        assertThat(hundred.medianMicros()).isEqualTo(0.0505);
        assertThat(new Timings(7).percentile(0.99)).isEqualTo(7);
    }

    @Test
    void shouldTimeEveryRepetitionAndAtLeastOne() throws Exception {
        int[] done = {0};

        Timings none = Timings.during(0, () -> done[0]++);
        assertThat(done[0]).isEqualTo(1);
        assertThat(none.count()).isEqualTo(1);

        long begin = System.nanoTime();
        Timings some = Timings.during(20, () -> done[0]++);
        double all = (System.nanoTime() - begin) / 1e9;
        assertThat(some.count()).isEqualTo(done[0] - 1);
        assertThat(some.totalSeconds()).isBetween(0.020, all);
    }

    @Test
    void shouldRefuseNothing() {
        assertThatThrownBy(Timings::new).hasMessage("nothing was timed");
    }
}
