package org.fleetgrad.serving.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.fleetgrad.protocol.ParameterVersion;
import org.junit.jupiter.api.Test;

class AccuracyBoardTest {

    private final AccuracyBoard board = new AccuracyBoard();

    @Test
    void shouldKeepTheNewestOfGeneration() {
        board.offer(accuracy("g", 5, 0.5));
        board.offer(accuracy("g", 4, 0.9));
        assertThat(board.newest("g")).contains(accuracy("g", 5, 0.5));

        board.offer(accuracy("g", 5, 0.6));
        assertThat(board.newest("g")).contains(accuracy("g", 5, 0.6));
    }

    @Test
    void shouldSayNothingOfAnotherGeneration() {
        assertThat(board.newest("g")).isEmpty();
        board.offer(accuracy("g", 5, 0.5));
        board.offer(accuracy("h", 0, 0.1));

        assertThat(board.newest("g")).isEmpty();
        assertThat(board.newest("h")).contains(accuracy("h", 0, 0.1));
    }

    @Test
    void shouldKeepTheAccuracyOfEachVersionToANumber() {
        for (long version = 0; version <= AccuracyBoard.MOST; version++) {
            board.offer(accuracy("g", version, version / 10_000.0));
        }

        assertThat(board.of(new ParameterVersion("g", 0))).isEmpty();
        assertThat(board.of(new ParameterVersion("g", 1))).hasValue(0.0001);
        assertThat(board.of(new ParameterVersion("g", AccuracyBoard.MOST))).hasValue(0.4096);
        assertThat(board.of(new ParameterVersion("h", 1))).isEmpty();
    }

    @Test
    void shouldExpectAVersionUntilItsAccuracyComes() {
        board.expect(new ParameterVersion("g", 5));
        board.offer(accuracy("g", 4, 0.5));
        assertThat(board.expected()).contains(new ParameterVersion("g", 5));

        board.offer(accuracy("g", 5, 0.5));
        assertThat(board.expected()).isEmpty();
    }

    private static HeldOutAccuracy accuracy(String generation, long version, double accuracy) {
        return new HeldOutAccuracy(new ParameterVersion(generation, version), accuracy);
    }
}
