package org.fleetgrad.files.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class BackoffPropertyTest {

    @Property
    void shouldLieInTheUpperHalfOfAGrowingPause(
            @ForAll @IntRange(min = 1, max = 1000) int firstMillis,
            @ForAll @IntRange(min = 1, max = 1000) int times,
            @ForAll @DoubleRange(min = 1, max = 4) double factor,
            @ForAll long seed) {
        double longest = (double) firstMillis * times;
        Backoff backoff = new Backoff(
                Duration.ofMillis(firstMillis),
                Duration.ofMillis((long) firstMillis * times),
                factor,
                new Random(seed));
        double base = firstMillis;
        for (int n = 0; n < 30; n++) {
            double millis = backoff.next().toNanos() / 1e6;
            assertThat(millis).isBetween(base / 2 - 1e-3, base + 1e-3);
            base = Math.min(base * factor, longest);
        }

        backoff.reset();
        assertThat(backoff.next().toNanos() / 1e6).isBetween(firstMillis / 2.0, (double) firstMillis);
    }

    @Example
    void shouldDoubleUpToTheLongestWithoutJitter() {
        Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(3), 2);

        assertThat(Stream.generate(backoff::next).limit(5).map(Duration::toMillis))
                .containsExactly(500L, 1000L, 2000L, 3000L, 3000L);
    }

    @Example
    void shouldNotBeTheSameForTwo() {
        Backoff one = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30), 2, new Random(1));
        Backoff other = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30), 2, new Random(2));

        assertThat(one.next()).isNotEqualTo(other.next());
    }

    @Example
    void shouldRefusePausesThatDoNotGrow() {
        assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1), 2, new Random(1)))
                .hasMessage(
                        "pauses must grow from a first one above 0 by a factor of 1 or more; they grow from PT2S to PT1S by 2.0");
    }
}
