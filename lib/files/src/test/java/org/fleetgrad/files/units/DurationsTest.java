package org.fleetgrad.files.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "0s, PT0S",
        "500ms, PT0.5S",
        "30s, PT30S",
        "90m, PT1H30M",
        "12h, PT12H",
        "2d, PT48H",
        "1h30m, PT1H30M",
        "1m30s, PT1M30S",
        "1d2h3m4s5ms, PT26H3M4.005S",
        "5m5ms, PT5M0.005S",
        "30S, PT30S",
        "0000000000000000000000007s, PT7S",
        "PT12H, PT12H",
        "pt1h30m, PT1H30M",
        "P2D, PT48H"
    })
    void shouldReadDurationsAsPeopleWriteThem(String text, Duration expected) {
        assertThat(Durations.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "s",
                "ms",
                "30",
                "soon",
                "-5s",
                "+5s",
                "5 s",
                " 5s",
                "1.5s",
                "5m1h",
                "1s1s",
                "5us",
                "1w",
                "P",
                "PT",
                "PT-5S",
                "PT0.0001S",
                "٣s"
            })
    void shouldRefuseWhatIsNoDuration(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'%s' is not a duration; write one such as 500ms, 30s, 10m, 12h or 2d", text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "106752d",
                "106751d1ms",
                "2562025h",
                "9223372036854775807ms",
                "99999999999999999999999999s",
                "PT9999999H"
            })
    void shouldRefuseDurationsThatAreTooLong(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'%s' is too long; the longest duration is 106751d", text);
    }

    @Test
    void shouldReadTheLongest() {
        assertThat(Durations.parse("106751d")).isEqualTo(Durations.LONGEST);
        assertThat(Durations.LONGEST.toNanos()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 0s", "PT0.5S, 500ms", "PT90S, 1m30s", "PT168H, 7d", "PT1.001S, 1s1ms"})
    void shouldWriteTheLargestUnitsFirst(Duration duration, String text) {
        assertThat(Durations.print(duration)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "PT0.0001S", "PT2562024H0.001S"})
    void shouldNotWriteWhatItCouldNotRead(Duration duration) {
        assertThatThrownBy(() -> Durations.print(duration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a duration has whole milliseconds, from 0s to 106751d; this is %s", duration);
    }
}
