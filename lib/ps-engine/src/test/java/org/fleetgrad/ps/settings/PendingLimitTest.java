package org.fleetgrad.ps.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PendingLimitTest {

    private static final long MB = 1 << 20;

    private final PendingLimit derived = new PendingLimit(OptionalLong.empty());

    @Test
    void shouldLetFourGradientsInIfTheHeapHasRoom() {
        assertThat(derived.of(100 * MB, 4096 * MB)).isEqualTo(400 * MB);
    }

    @Test
    void shouldLeaveThreeQuartersOfTheHeapToTheRest() {
        assertThat(derived.of(575 * MB, 4096 * MB)).isEqualTo(1024 * MB);
    }

    @Test
    void shouldLetManySmallGradientsIn() {
        assertThat(derived.of(MB, 1024 * MB)).isEqualTo(256 * MB);
    }

    @Test
    void shouldLeaveTwoThirdsOfASmallHeapToTheRest() {
        // The shipped manifest: 40 % of 512 MB, and a model of 16 MB.
        assertThat(derived.of(16 * MB, 204 * MB)).isEqualTo(68 * MB);
    }

    @Test
    void shouldDoAsTheUserSays() {
        assertThat(new PendingLimit(OptionalLong.of(7)).of(575 * MB, 4096 * MB)).isEqualTo(7);
    }
}
