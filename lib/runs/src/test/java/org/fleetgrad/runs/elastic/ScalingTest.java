package org.fleetgrad.runs.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import org.fleetgrad.reports.Report.FleetChange;
import org.fleetgrad.runs.elastic.WorkerTrials.Decision;
import org.junit.jupiter.api.Test;

class ScalingTest {

    private final Scaling scaling = new Scaling(new ElasticSettings(4, 0.5));

    @Test
    void shouldMeasureOverTheWholeTimeOnceAllWorkersAreThere() {
        assertThat(scaling.look(0, 0, 0)).isEmpty();
        assertThat(scaling.look(1, 100, 1)).isEmpty();
        assertThat(scaling.look(5.9, 4_000, 1)).isEmpty();

        // 5,000 samples in the 5 seconds since the worker came.
        assertThat(scaling.look(6, 5_100, 1)).contains(new Decision(2, "1,000 samples/s with 1; trying 2"));
        assertThat(scaling.size()).isEqualTo(2);
        assertThat(scaling.steps())
                .extracting(FleetChange::seconds, FleetChange::workers)
                .containsExactly(tuple(0.0, 1), tuple(6.0, 2));
    }

    @Test
    void shouldNotWaitForEverForAWorkerThatDoesNotCome() {
        assertThat(scaling.look(0, 0, 1)).isEmpty();
        assertThat(scaling.look(5, 5_000, 1)).isPresent();

        for (int second = 6; second < 35; second++) {
            assertThat(scaling.look(second, second * 1000L, 1)).isEmpty();
        }
        assertThat(scaling.look(35, 35_000, 1)).isEmpty();

        assertThat(scaling.look(40, 40_000, 1))
                .contains(new Decision(1, "worker 2 adds 0 samples/s; a worker is kept from 500 on"));
    }

    @Test
    void shouldBeginAnewWhereTheServerIsBackAtAnEarlierCount() {
        assertThat(scaling.look(0, 10_000, 1)).isEmpty();
        assertThat(scaling.look(2, 4_000, 1)).isEmpty();

        assertThat(scaling.look(5, 7_000, 1)).isEmpty();
        assertThat(scaling.look(7, 9_000, 1)).contains(new Decision(2, "1,000 samples/s with 1; trying 2"));
    }

    @Test
    void shouldForgetAMeasureThatIsInterrupted() {
        assertThat(scaling.look(0, 0, 1)).isEmpty();

        scaling.interrupt();

        assertThat(scaling.look(5, 5_000, 1)).isEmpty();
        assertThat(scaling.look(9, 9_000, 1)).isEmpty();
        assertThat(scaling.look(10, 10_000, 1)).isPresent();
    }
}
