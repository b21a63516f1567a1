package org.fleetgrad.load.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
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
        LatencyHistogram histogram = new LatencyHistogram(3);
        values.forEach(histogram::add);
        // In decimals: as doubles, 0.07 of 100 is more than 7.
        int rank = BigDecimal.valueOf(share)
                .multiply(BigDecimal.valueOf(values.size()))
                .setScale(0, RoundingMode.CEILING)
                .intValueExact();
        long exact =
                values.stream().sorted().skip(Math.max(0, rank - 1)).findFirst().orElseThrow();

        long percentile = histogram.percentile(share);

        assertThat(percentile).isGreaterThanOrEqualTo(exact);
        assertThat(percentile - exact).isLessThanOrEqualTo(exact / 1024);
    }
}
