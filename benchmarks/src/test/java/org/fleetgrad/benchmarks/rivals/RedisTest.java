package org.fleetgrad.benchmarks.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedisTest {

    /** Output of redis-benchmark 7.0. */
    private static final List<String> CSV = List.of(
            "\"test\",\"rps\",\"avg_latency_ms\",\"min_latency_ms\",\"p50_latency_ms\"",
            "\"SET\",\"13289.04\",\"0.497\",\"0.176\",\"0.471\"",
            "\"GET\",\"6739.56\",\"0.991\",\"0.264\",\"0.951\"");

    @Test
    void shouldReadTheRateOfATest() throws Exception {
        assertThat(Redis.rate(CSV, "SET")).isEqualTo(13_289.04);
        assertThat(Redis.rate(CSV, "GET")).isEqualTo(6_739.56);
    }

    @Test
    void shouldSayWhatItReadWhereATestIsMissing() {
        assertThatThrownBy(() -> Redis.rate(List.of("Could not connect"), "SET"))
                .isInstanceOf(IOException.class)
                .hasMessage("redis-benchmark did not print exactly one line of SET: [Could not connect]");
    }
}
