package org.fleetgrad.load.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class LatencyHistogramPropertyTest {

    /** The oracle sorts all values, and takes the nearest rank. */
    @Property(tries = 500)
    void shouldBeAsLargeAsTheSortedValueAndLessThanAThousandthLarger(
            @ForAll @Size(min = 1, max = 300) List<@LongRange(min = 0, max = 8_000_000_000_000L) Long> values,
            @ForAll @DoubleRange(min = 0, max = 1) double share) {
        LatencyHistogram histogram = new LatencyHistogram(10);
        values.forEach(histogram::add);
        int rank = Math.max(1, (int) Math.ceil(share * values.size()));
        long exact = values.stream().sorted().skip(rank - 1).findFirst().orElseThrow();

        long percentile = histogram.percentile(share);

        assertThat(percentile).isGreaterThanOrEqualTo(exact);
        assertThat(percentile - exact).isLessThanOrEqualTo(exact / 1024);
    }
}
