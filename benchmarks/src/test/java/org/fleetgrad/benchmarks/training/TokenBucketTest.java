package org.fleetgrad.benchmarks.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TokenBucketTest {

    private static final long SECOND = 1_000_000_000;

    /** 1,000 bytes per second, 100 in one burst. */
    private final ThrottledLink.TokenBucket bucket = new ThrottledLink.TokenBucket(1_000, 100, 0);

    @Test
    void shouldPassABurstAtOnceAndMakeTheRestWait() {
        assertThat(bucket.take(100, 0)).isZero();
        assertThat(bucket.take(1, 0)).isEqualTo(SECOND / 1_000);
    }

    @Test
    void shouldKeepTheRateWhenEachRequestWaits() {
        long now = 0;
        for (int i = 0; i < 1_000; i++) {
            now += bucket.take(50, now);
        }
        // 50,000 bytes, less the first burst.
        assertThat(now).isBetween(49_900 * SECOND / 1_000, 49_901 * SECOND / 1_000);
    }

    @Test
    void shouldNotSaveUpMoreThanABurst() {
        bucket.take(100, 0);

        assertThat(bucket.take(100, 3_600 * SECOND)).isZero();
        assertThat(bucket.take(100, 3_600 * SECOND)).isEqualTo(SECOND / 10);
    }

    @Test
    void shouldRememberADebt() {
        assertThat(bucket.take(1_100, 0)).isEqualTo(SECOND);
        assertThat(bucket.take(100, SECOND / 2)).isEqualTo(SECOND * 6 / 10);
    }

    @Test
    void shouldRefuseNoRate() {
        assertThatThrownBy(() -> new ThrottledLink.TokenBucket(0, 100, 0))
                .hasMessage("rate and depth must be above 0; they are 0.0 bytes/s and 100.0 bytes");
    }
}
