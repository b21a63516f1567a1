package org.fleetgrad.serving.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.junit.jupiter.api.Test;

class HeldOutScoresTest {

    private final HeldOutScores scores = new HeldOutScores();

    @Test
    void shouldKeepTheNewestOfGeneration() {
        scores.record(accuracy("g", 5, 0.5));
        scores.record(accuracy("g", 4, 0.9));
        assertThat(scores.newest("g")).contains(accuracy("g", 5, 0.5));

        scores.record(accuracy("g", 5, 0.6));
        assertThat(scores.newest("g")).contains(accuracy("g", 5, 0.6));
    }

    @Test
    void shouldSayNothingOfAnotherGeneration() {
        assertThat(scores.newest("g")).isEmpty();
        scores.record(accuracy("g", 5, 0.5));
        scores.record(accuracy("h", 0, 0.1));

        assertThat(scores.newest("g")).isEmpty();
        assertThat(scores.newest("h")).contains(accuracy("h", 0, 0.1));
    }

    @Test
    void shouldKeepTheScoreOfEachVersionToANumber() {
        for (long version = 0; version <= HeldOutScores.MAX_STORED; version++) {
            scores.record(accuracy("g", version, version / 10_000.0));
        }

        assertThat(scores.of(new ParameterVersion("g", 0))).isEmpty();
        assertThat(scores.of(new ParameterVersion("g", 1))).contains(HeldOutScore.ofAccuracy(0.0001));
        assertThat(scores.of(new ParameterVersion("g", HeldOutScores.MAX_STORED)))
                .contains(HeldOutScore.ofAccuracy(0.4096));
        assertThat(scores.of(new ParameterVersion("h", 1))).isEmpty();
    }

    @Test
    void shouldExpectAVersionUntilItsScoreComes() {
        scores.expect(new ParameterVersion("g", 5));
        scores.record(accuracy("g", 4, 0.5));
        assertThat(scores.expected()).contains(new ParameterVersion("g", 5));

        scores.record(accuracy("g", 5, 0.5));
        assertThat(scores.expected()).isEmpty();
    }

    @Test
    void shouldDecideByTheLiveScoreOnceThereIsOne() {
        Map<ParameterVersion, HeldOutScore> live = new HashMap<>();
        HeldOutScores preferring = new HeldOutScores(version -> Optional.ofNullable(live.get(version)));
        ParameterVersion version = new ParameterVersion("g", 5);
        assertThat(preferring.deciding(version)).isEmpty();

        preferring.record(accuracy("g", 5, 0.5));
        assertThat(preferring.deciding(version)).contains(HeldOutScore.ofAccuracy(0.5));

        live.put(version, HeldOutScore.ofAccuracy(0.4));
        assertThat(preferring.deciding(version)).contains(HeldOutScore.ofAccuracy(0.4));
        assertThat(preferring.of(version)).contains(HeldOutScore.ofAccuracy(0.5));
    }

    private static ScoredVersion accuracy(String generation, long version, double accuracy) {
        return new ScoredVersion(new ParameterVersion(generation, version), HeldOutScore.ofAccuracy(accuracy));
    }
}
