package org.fleetgrad.serving.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.policy.HeldOutAccuracies.HeldOutAccuracy;
import org.junit.jupiter.api.Test;

class HeldOutAccuraciesTest {

    private final HeldOutAccuracies accuracies = new HeldOutAccuracies();

    @Test
    void shouldKeepTheNewestOfGeneration() {
        accuracies.record(accuracy("g", 5, 0.5));
        accuracies.record(accuracy("g", 4, 0.9));
        assertThat(accuracies.newest("g")).contains(accuracy("g", 5, 0.5));

        accuracies.record(accuracy("g", 5, 0.6));
        assertThat(accuracies.newest("g")).contains(accuracy("g", 5, 0.6));
    }

    @Test
    void shouldSayNothingOfAnotherGeneration() {
        assertThat(accuracies.newest("g")).isEmpty();
        accuracies.record(accuracy("g", 5, 0.5));
        accuracies.record(accuracy("h", 0, 0.1));

        assertThat(accuracies.newest("g")).isEmpty();
        assertThat(accuracies.newest("h")).contains(accuracy("h", 0, 0.1));
    }

    @Test
    void shouldKeepTheAccuracyOfEachVersionToANumber() {
        for (long version = 0; version <= HeldOutAccuracies.MAX_STORED; version++) {
            accuracies.record(accuracy("g", version, version / 10_000.0));
        }

        assertThat(accuracies.of(new ParameterVersion("g", 0))).isEmpty();
        assertThat(accuracies.of(new ParameterVersion("g", 1))).hasValue(0.0001);
        assertThat(accuracies.of(new ParameterVersion("g", HeldOutAccuracies.MAX_STORED)))
                .hasValue(0.4096);
        assertThat(accuracies.of(new ParameterVersion("h", 1))).isEmpty();
    }

    @Test
    void shouldExpectAVersionUntilItsAccuracyComes() {
        accuracies.expect(new ParameterVersion("g", 5));
        accuracies.record(accuracy("g", 4, 0.5));
        assertThat(accuracies.expected()).contains(new ParameterVersion("g", 5));

        accuracies.record(accuracy("g", 5, 0.5));
        assertThat(accuracies.expected()).isEmpty();
    }

    private static HeldOutAccuracy accuracy(String generation, long version, double accuracy) {
        return new HeldOutAccuracy(new ParameterVersion(generation, version), accuracy);
    }
}
