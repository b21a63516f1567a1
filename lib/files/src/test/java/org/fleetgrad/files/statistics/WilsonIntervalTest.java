package org.fleetgrad.files.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WilsonIntervalTest {

    /** The last two columns are those of SciPy, {@code binomtest(right, count).proportion_ci(method="wilson")}. */
    @ParameterizedTest
    @CsvSource({
        "8, 10, 0.4901624715366418, 0.9433178485456248",
        "0, 5, 0, 0.43448246478317476",
        "5, 5, 0.5655175352168251, 1",
        "97, 100, 0.9154806357094724, 0.9897454759759611"
    })
    void shouldBeThatOfScipy(long right, long count, double low, double high) {
        WilsonInterval interval = WilsonInterval.of(right, count);

        assertThat(interval.low()).isCloseTo(low, within(1e-12));
        assertThat(interval.high()).isCloseTo(high, within(1e-12));
    }

    /** What the interval means: at its ends the observed share is 1.96 standard errors away. */
    @ParameterizedTest
    @CsvSource({"1, 2", "1, 1000", "999, 1000", "123456, 1000000"})
    void shouldEndWhereTheObservedShareIsAsUnlikelyAsItMayBe(long right, long count) {
        WilsonInterval interval = WilsonInterval.of(right, count);

        double share = (double) right / (double) count;
        for (double end : new double[] {interval.low(), interval.high()}) {
            double errors = Math.abs(share - end) / Math.sqrt(end * (1 - end) / (double) count);
            assertThat(errors).isCloseTo(WilsonInterval.Z, within(1e-9));
        }
        assertThat(interval.low()).isLessThan(share);
        assertThat(interval.high()).isGreaterThan(share);
    }

    /** Of statsmodels' proportion_confint(right, total, method="wilson"). */
    @ParameterizedTest
    @CsvSource({
        "8, 10, 0.490162, 0.943318",
        "100, 200, 0.431360, 0.568640",
        "200, 200, 0.981155, 1",
        "0, 200, 0, 0.018845"
    })
    void shouldBeThatOfStatsmodels(long right, long total, double low, double high) {
        WilsonInterval interval = WilsonInterval.of(right, total);

        assertThat(interval.low()).isCloseTo(low, within(1e-4));
        assertThat(interval.high()).isCloseTo(high, within(1e-4));
    }
}
