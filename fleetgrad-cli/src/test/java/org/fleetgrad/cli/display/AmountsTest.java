package org.fleetgrad.cli.display;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "999, 999 B",
        "1000, 1.0 kB",
        "247148, 247.1 kB",
        "999949, 999.9 kB",
        "999950, 1.0 MB",
        "1000000, 1.0 MB",
        "2147483647, 2.1 GB",
        "9223372036854775807, 9.2 EB"
    })
    void shouldWriteBytes(long bytes, String text) {
        assertThat(Amounts.bytes(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "-60, 0 s",
        "0, 0 s",
        "119, 119 s",
        "120, 2 min",
        "7199, 119 min",
        "7200, 2 h",
        "172799, 47 h",
        "172800, 2 d"
    })
    void shouldWriteAges(long seconds, String text) {
        assertThat(Amounts.age(Duration.ofSeconds(seconds))).isEqualTo(text);
    }
}
