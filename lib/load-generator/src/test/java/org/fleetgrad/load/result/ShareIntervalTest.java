package org.fleetgrad.load.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShareIntervalTest {

    /** Of statsmodels' proportion_confint(right, total, method="wilson"). */
    @ParameterizedTest
    @CsvSource({
        "8, 10, 0.490162, 0.943318",
        "100, 200, 0.431360, 0.568640",
        "200, 200, 0.981155, 1",
        "0, 200, 0, 0.018845"
    })
    void shouldBeWilsons(long right, long total, double low, double high) {
        ShareInterval interval = ShareInterval.of(right, total);

        assertThat(interval.low()).isCloseTo(low, within(1e-4));
        assertThat(interval.high()).isCloseTo(high, within(1e-4));
    }
}
