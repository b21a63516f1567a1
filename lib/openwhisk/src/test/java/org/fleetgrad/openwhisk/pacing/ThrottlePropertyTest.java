package org.fleetgrad.openwhisk.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.fleetgrad.openwhisk.Invocation.Reason;
import org.fleetgrad.openwhisk.Invocation.Throttled;
import org.fleetgrad.openwhisk.NamespaceLimits;

class ThrottlePropertyTest {

    private static final Throttled REFUSAL = new Throttled(Reason.RATE, Optional.empty(), "too many");

    private final VirtualTime time = new VirtualTime();

    private Throttle throttle(int perMinute, int concurrent, long seed) {
        return new Throttle(
                new NamespaceLimits(perMinute, concurrent, true), time.clock(), time, new Random(seed), line -> {});
    }

    @Property(tries = 200)
    void shouldKeepWithinBothLimitsAndLetEverybodyIn(
            @ForAll @IntRange(min = 1, max = 20) int perMinute,
            @ForAll @IntRange(min = 1, max = 8) int concurrent,
            @ForAll @Size(min = 1, max = 80) List<@IntRange(min = 0, max = 90_000) Integer> lengthsMillis)
            throws InterruptedException {
        Throttle throttle = throttle(perMinute, concurrent, 7);
        List<Instant> begins = new ArrayList<>();
        int[] running = {0};
        for (int length : lengthsMillis) {
            assertThat(throttle.enter(Instant.MAX)).isTrue();
            begins.add(time.now());
            running[0]++;
            assertThat(running[0]).isLessThanOrEqualTo(concurrent);
            time.after(Duration.ofMillis(length), () -> {
                running[0]--;
                throttle.release();
            });
        }
        for (int n = perMinute; n < begins.size(); n++) {
            assertThat(Duration.between(begins.get(n - perMinute), begins.get(n)))
                    .as("of %d invocations, wherever a minute begins", perMinute + 1)
                    .isGreaterThan(Duration.ofMinutes(1));
        }
    }

    @Property(tries = 200)
    void shouldNotWasteTheRate(
            @ForAll @IntRange(min = 1, max = 20) int perMinute, @ForAll @IntRange(min = 1, max = 60) int invocations)
            throws InterruptedException {
        Throttle throttle = throttle(perMinute, 100, 7);
        Instant begin = time.now();
        for (int n = 0; n < invocations; n++) {
            assertThat(throttle.enter(Instant.MAX)).isTrue();
            throttle.release();
        }

        int fullMinutes = (invocations - 1) / perMinute;
        assertThat(Duration.between(begin, time.now()))
                .isEqualTo(Duration.ofSeconds(61).multipliedBy(fullMinutes));
    }

    @Property(tries = 200)
    void shouldDrawBackLongerFromRefusalToRefusal(@ForAll @IntRange(min = 1, max = 12) int refusals, @ForAll long seed)
            throws InterruptedException {
        Throttle throttle = throttle(1000, 10, seed);
        double base = 500;
        for (int n = 0; n < refusals; n++) {
            Instant before = time.now();
            throttle.refused(REFUSAL);
            assertThat(throttle.enter(Instant.MAX)).isTrue();
            throttle.release();
            assertThat(Duration.between(before, time.now()).toNanos() / 1e6).isBetween(base / 2 - 1e-3, base + 1e-3);
            base = Math.min(base * 2, 30_000);
        }
        throttle.accepted();
        Instant before = time.now();
        throttle.refused(REFUSAL);
        assertThat(throttle.enter(Instant.MAX)).isTrue();
        assertThat(Duration.between(before, time.now())).isLessThanOrEqualTo(Duration.ofMillis(500));
    }

    @Property(tries = 100)
    void shouldGetEverythingDoneAgainstAControllerThatOthersUseToo(
            @ForAll @IntRange(min = 1, max = 5) int accepted,
            @ForAll @IntRange(min = 1, max = 30) int wanted,
            @ForAll @IntRange(min = 0, max = 59_999) int phaseMillis)
            throws InterruptedException {
        Throttle throttle = throttle(60, 30, 11);
        long[] minute = {-1};
        int[] count = {0};
        int done = 0;
        while (done < wanted) {
            assertThat(throttle.enter(time.now().plus(Duration.ofHours(1)))).isTrue();
            long now = Math.floorDiv(time.clock().millis() + phaseMillis, 60_000);
            count[0] = now == minute[0] ? count[0] + 1 : 1;
            minute[0] = now;
            // Other clients leave this many invocations of each of the controller's minutes.
            if (count[0] <= accepted) {
                throttle.accepted();
                done++;
            } else {
                throttle.refused(REFUSAL);
            }
            throttle.release();
        }
        assertThat(done).isEqualTo(wanted);
    }

    @Example
    void shouldCountThoseThatWereRefusedTogetherAsOne() throws InterruptedException {
        Throttle throttle = throttle(60, 30, 3);
        Instant before = time.now();
        for (int n = 0; n < 10; n++) {
            throttle.refused(REFUSAL);
        }

        assertThat(throttle.enter(Instant.MAX)).isTrue();
        assertThat(Duration.between(before, time.now())).isLessThanOrEqualTo(Duration.ofMillis(500));
    }

    @Example
    void shouldWaitAsLongAsItIsAskedButNotForEver() throws InterruptedException {
        Throttle throttle = throttle(60, 30, 3);
        Instant before = time.now();
        throttle.refused(new Throttled(Reason.OVERLOAD, Optional.of(Duration.ofSeconds(7)), "later"));
        throttle.enter(Instant.MAX);
        assertThat(Duration.between(before, time.now())).isEqualTo(Duration.ofSeconds(7));

        before = time.now();
        throttle.refused(new Throttled(Reason.OVERLOAD, Optional.of(Duration.ofHours(2)), "later"));
        throttle.enter(Instant.MAX);
        assertThat(Duration.between(before, time.now())).isEqualTo(Duration.ofSeconds(30));
    }

    @Example
    void shouldGiveUpAsSoonAsItKnows() throws InterruptedException {
        Throttle throttle = throttle(1, 30, 3);
        assertThat(throttle.enter(time.now())).isTrue();
        throttle.release();
        Instant before = time.now();

        assertThat(throttle.enter(time.now().plus(Duration.ofSeconds(60)))).isFalse();

        assertThat(time.now()).isEqualTo(before);
    }

    @Example
    void shouldRefuseLimitsThatAllowNothing() {
        assertThatThrownBy(() -> throttle(0, 30, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the namespace's limits are 0 invocations a minute and 30 at a time; ask its operator for 1 or more of each");
    }

    @Example
    void shouldRefuseToEndMoreInvocationsThanBegan() {
        assertThatThrownBy(() -> throttle(1, 1, 1).release()).isInstanceOf(IllegalStateException.class);
    }
}
