package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlidingWindowTest {

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "8, 0", "9, 5", "10, 5", "13, 5", "14, 10", "18, 10", "19, 15"})
    void shouldKeepTheLastHalfOfTheContext(int length, int start) {
        assertThat(new SlidingWindow(8).start(length)).isEqualTo(start);
    }

    @Test
    void shouldSeeOneTokenOfAContextOfOne() {
        for (int length = 1; length < 5; length++) {
            assertThat(new SlidingWindow(1).start(length)).isEqualTo(length - 1);
        }
    }

    /** The rule, token by token: a window that is full is cut to a half, the new token among it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 12, 64})
    void shouldBeTheSameAsCuttingTokenByToken(int context) {
        SlidingWindow window = new SlidingWindow(context);
        int start = 0;
        for (int length = 1; length < 5 * context + 3; length++) {
            if (length - start > context) {
                start = length - Math.max(1, context / 2);
            }
            assertThat(window.start(length)).isEqualTo(start);
        }
    }
}
