package org.fleetgrad.ps.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SampleSumTest {

    @Test
    void shouldStayAtTheLargestNumberAndNotBeginAnew() {
        TrainingStatistics statistics = new TrainingStatistics();
        statistics.stepped(Long.MAX_VALUE - 5, 1);
        assertThat(statistics.samplesOfRun()).isEqualTo(Long.MAX_VALUE - 5);
        statistics.stepped(5, 1);
        statistics.stepped(1, 1);
        assertThat(statistics.samplesOfRun()).isEqualTo(Long.MAX_VALUE);
    }
}
