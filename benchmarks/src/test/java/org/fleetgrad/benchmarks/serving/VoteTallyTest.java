package org.fleetgrad.benchmarks.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class VoteTallyTest {

    private final VoteTally tally = new VoteTally();

    private void add(int disagreed, String members) {
        tally.add(JsonMapper.builder()
                .build()
                .readTree("{\"predictions\":[{},{},{},{}],\"disagreed\":%d,\"members\":[%s]}"
                        .formatted(disagreed, members)));
    }

    @Test
    void shouldCountByTheGapBetweenTheVersions() {
        add(0, "{\"version\":7},{\"version\":7}");
        add(1, "{\"version\":7},{\"version\":9}");
        add(2, "{\"version\":12},{\"version\":10},{\"version\":11}");

        assertThat(tally.figures()).containsExactly(new Places.Votes(0, 4, 0), new Places.Votes(2, 8, 3));
    }

    @Test
    void shouldNotCountAVoteOfOne() {
        add(0, "{\"version\":7}");

        assertThat(tally.figures()).isEmpty();
    }

    @Test
    void shouldFailIfEqualVersionsDisagree() {
        assertThatThrownBy(() -> add(1, "{\"version\":7},{\"version\":7}"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("2 workers with version 7 disagree on 1 images: equal versions must answer equally");
    }
}
