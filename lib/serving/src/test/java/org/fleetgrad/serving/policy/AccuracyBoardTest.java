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

    private static HeldOutAccuracy accuracy(String generation, long version, double accuracy) {
        return new HeldOutAccuracy(new ParameterVersion(generation, version), accuracy);
    }
}
