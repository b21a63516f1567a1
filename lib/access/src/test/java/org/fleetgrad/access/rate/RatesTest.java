package org.fleetgrad.access.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.fleetgrad.access.rate.Rates.RateLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RatesTest {

    private final AtomicLong time = new AtomicLong();
    private final Rates rates = new Rates(new RateLimits(2, 3), time::get);

    @Test
    void shouldSayTheLimitAndTheWaitToATokenThatAsksTooOften() {
        assertThat(rates.request("t", "10.0.0.1")).isEmpty();
        assertThat(rates.request("t", "10.0.0.2")).isEmpty();

        assertThat(rates.request("t", "10.0.0.3"))
                .contains(new Rates.Throttled("the token makes more than 2 requests a second", Duration.ofMillis(500)));
        assertThat(rates.request("u", "10.0.0.3")).as("another token").isEmpty();
    }

    @Test
    void shouldLookAtNoMoreKeysOfAnAddressAfterTooManyFailures() {
        IntStream.range(0, 3).forEach(i -> {
            assertThat(rates.throttled("10.0.0.1", "")).isEmpty();
            rates.failed("10.0.0.1", "");
        });

        assertThat(rates.throttled("10.0.0.1", ""))
                .contains(new Rates.Throttled(
                        "more than 3 wrong keys or tokens a minute came from this address", Duration.ofSeconds(20)));
        assertThat(rates.throttled("10.0.0.2", "")).isEmpty();
        IntStream.range(0, 1000).forEach(i -> rates.failed("10.0.0.1", ""));
        time.addAndGet(Duration.ofSeconds(20).toNanos());
        assertThat(rates.throttled("10.0.0.1", ""))
                .as("more failures make it no longer")
                .isEmpty();
    }

    @Test
    void shouldCountThoseWithATokenApartFromStrangers() {
        IntStream.range(0, 3).forEach(i -> rates.failed("10.0.0.1", ""));

        assertThat(rates.throttled("10.0.0.1", "worker")).isEmpty();
        IntStream.range(0, 3).forEach(i -> rates.failed("10.0.0.1", "worker"));
        assertThat(rates.throttled("10.0.0.1", "worker")).isPresent();
        assertThat(rates.throttled("10.0.0.1", "reader")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8:1:2::1, 2001:db8:1:2:3:4:5:6, true",
        "2001:db8:1:2::1, 2001:db8:1:3::1, false",
        "[2001:db8:1:2::1], 2001:db8:1:2::2, true",
        "10.0.0.1, 10.0.0.2, false",
        "::ffff:10.0.0.1, 10.0.0.1, false"
    })
    void shouldCountTheAddressesOfOneNetworkOfIpv6Together(String first, String second, boolean isSame) {
        IntStream.range(0, 3).forEach(i -> rates.failed(first, ""));

        assertThat(rates.throttled(second, "").isPresent()).isEqualTo(isSame);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "0:0:0:0:0:0:0:1", "[::1]"})
    void shouldNotLimitThisMachine(String own) {
        IntStream.range(0, 100).forEach(i -> {
            rates.failed(own, "");
            assertThat(rates.throttled(own, "")).isEmpty();
            assertThat(rates.request("t", own)).isEmpty();
        });
    }

    @Test
    void shouldLimitNothingWhereTheLimitsAreZero() {
        Rates none = new Rates(RateLimits.NONE, time::get);

        IntStream.range(0, 100_000).forEach(i -> {
            none.failed("10.0.0.1", "");
            assertThat(none.request("t", "10.0.0.1")).isEmpty();
        });
        assertThat(none.throttled("10.0.0.1", "")).isEmpty();
    }

    @Test
    void shouldRefuseANegativeLimitWithItsName() {
        assertThatThrownBy(() -> new RateLimits(0, -5).checked("ps.security"))
                .hasMessage("ps.security.failures-per-minute is -5; write a number of 1 or more, or 0 for no limit");
    }
}
