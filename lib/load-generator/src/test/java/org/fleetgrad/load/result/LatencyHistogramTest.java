package org.fleetgrad.load.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {

    private final LatencyHistogram histogram = new LatencyHistogram(3);

    @Test
    void shouldReturnTheNearestRankOfSmallValuesExactly() {
        for (long value = 1; value <= 100; value++) {
            histogram.add(value);
        }

        assertThat(histogram.percentile(0.5)).isEqualTo(50);
        assertThat(histogram.percentile(0.9)).isEqualTo(90);
        assertThat(histogram.percentile(0.99)).isEqualTo(99);
        assertThat(histogram.percentile(1)).isEqualTo(100);
        assertThat(histogram.percentile(0)).isEqualTo(1);
    }

    @Test
    void shouldKeepTheLargestExactly() {
        long odd = TimeUnit.SECONDS.toNanos(3) + 7;
        histogram.add(5);
        histogram.add(odd);

        assertThat(histogram.largest()).isEqualTo(odd);
        assertThat(histogram.percentile(1)).isEqualTo(odd);
    }

    @Test
    void shouldTakeALatencyOfDays() {
        long days = TimeUnit.DAYS.toNanos(3);
        histogram.add(days);

        assertThat(histogram.count()).isEqualTo(1);
        assertThat(histogram.largest()).isEqualTo(days);
    }

    @Test
    void shouldAddUpWithAnother() {
        LatencyHistogram other = new LatencyHistogram(3);
        histogram.add(10);
        other.add(20);
        other.add(1_000);

        histogram.add(other);

        assertThat(histogram.count()).isEqualTo(3);
        assertThat(histogram.percentile(0.5)).isEqualTo(20);
        assertThat(histogram.largest()).isEqualTo(1_000);
    }

    @Test
    void shouldSayZeroOfNothing() {
        assertThat(histogram.percentile(0.99)).isZero();
        assertThat(histogram.largest()).isZero();
    }
}
