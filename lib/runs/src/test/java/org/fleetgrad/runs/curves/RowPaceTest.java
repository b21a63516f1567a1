package org.fleetgrad.runs.curves;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowPaceTest {

    private static final int LOOKS_A_SECOND = 10;

    @Test
    void shouldTakeEachLookOfAShortRun() {
        assertThat(due(60)).isEqualTo(60 * LOOKS_A_SECOND);
    }

    @Test
    void shouldKeepTheFilesOfALongRunSmall() {
        assertThat(due(24 * 3600)).isBetween(10_000L, 25_000L);
    }

    private static long due(int seconds) {
        RowPace pace = new RowPace();
        return IntStream.range(0, seconds * LOOKS_A_SECOND)
                .filter(look -> pace.isDue((double) look / LOOKS_A_SECOND))
                .count();
    }
}
