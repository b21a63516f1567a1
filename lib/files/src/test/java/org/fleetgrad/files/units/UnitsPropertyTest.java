package org.fleetgrad.files.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class UnitsPropertyTest {

    private static final long LONGEST_MS = Durations.LONGEST.toMillis();

    /** Any length, and those with zeros in between: whole seconds, minutes, hours or days. */
    @Provide
    Arbitrary<Duration> durations() {
        Arbitrary<Long> unit = Arbitraries.of(1L, 1_000L, 60_000L, 3_600_000L, 86_400_000L);
        return Combinators.combine(Arbitraries.longs().between(0, LONGEST_MS), unit)
                .as((ms, grain) -> Duration.ofMillis(ms / grain * grain));
    }

    @Property
    void shouldReadTheDurationsThatItWrites(@ForAll("durations") Duration duration) {
        String text = Durations.print(duration);

        assertThat(Durations.parse(text)).isEqualTo(duration);
        assertThat(Durations.parse(text.toUpperCase(Locale.ROOT))).isEqualTo(duration);
        assertThat(Durations.parse(duration.toString())).isEqualTo(duration);
    }

    /** The JDK's arithmetic is the oracle. */
    @Property
    void shouldAddUpTheUnits(
            @ForAll @IntRange(max = 50_000) int days,
            @ForAll @IntRange(max = 99_999) int hours,
            @ForAll @IntRange(max = 9_999_999) int minutes,
            @ForAll @IntRange int seconds,
            @ForAll @IntRange int milliseconds) {
        Duration expected = Duration.ofDays(days)
                .plusHours(hours)
                .plusMinutes(minutes)
                .plusSeconds(seconds)
                .plusMillis(milliseconds);

        assertThat(Durations.parse("%dd%dh%dm%ds%dms".formatted(days, hours, minutes, seconds, milliseconds)))
                .isEqualTo(expected);
    }

    @Property
    void shouldReadDurationsToTheLimitAndRefuseLongerOnes(
            @ForAll @LongRange(max = Long.MAX_VALUE) long count, @ForAll @IntRange(max = 4) int unit) {
        ChronoUnit[] units = {
            ChronoUnit.MILLIS, ChronoUnit.SECONDS, ChronoUnit.MINUTES, ChronoUnit.HOURS, ChronoUnit.DAYS
        };
        String text = count + new String[] {"ms", "s", "m", "h", "d"}[unit];
        BigInteger ms = BigInteger.valueOf(count)
                .multiply(BigInteger.valueOf(units[unit].getDuration().toMillis()));

        if (ms.compareTo(BigInteger.valueOf(LONGEST_MS)) <= 0) {
            assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(ms.longValueExact()));
        } else {
            assertThatThrownBy(() -> Durations.parse(text))
                    .hasMessage("'%s' is too long; the longest duration is 106751d", text);
        }
    }

    @Property
    void shouldReadTheSizesThatItWrites(
            @ForAll @LongRange(max = Long.MAX_VALUE) long value, @ForAll @IntRange(max = 40) int zeros) {
        long size = value >> zeros << zeros;
        String text = Sizes.print(size);

        assertThat(Sizes.parse(text)).isEqualTo(size);
        assertThat(Sizes.parse(text.toUpperCase(Locale.ROOT) + "B")).isEqualTo(size);
    }

    @Property
    void shouldReadSizesToTheLimitAndRefuseLargerOnes(
            @ForAll @LongRange(max = Long.MAX_VALUE) long count, @ForAll @IntRange(max = 3) int unit) {
        String text = count + new String[] {"", "k", "m", "g"}[unit];
        BigInteger bytes = BigInteger.valueOf(count).shiftLeft(10 * unit);

        if (bytes.bitLength() < Long.SIZE) {
            assertThat(Sizes.parse(text)).isEqualTo(bytes.longValueExact());
        } else {
            assertThatThrownBy(() -> Sizes.parse(text))
                    .hasMessage("'%s' is too large; the largest size is 9223372036854775807 bytes", text);
        }
    }
}
