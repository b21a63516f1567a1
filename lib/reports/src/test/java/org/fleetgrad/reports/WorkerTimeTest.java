package org.fleetgrad.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.fleetgrad.reports.Report.FleetChange;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The example run takes 20 seconds with 4 workers: 80 seconds of a worker. */
class WorkerTimeTest {

    private static final Offset<Double> EXACTLY = within(1e-9);

    private static ActivationRow activation(double duration, Map<String, Object> figures) {
        return new ActivationRow(
                "worker-1",
                null,
                "w",
                0,
                duration,
                null,
                true,
                ActivationRow.ANSWERED,
                null,
                null,
                null,
                1L,
                0L,
                0,
                figures);
    }

    private static Map<String, Object> told(Object compute, Object exchange, Object data) {
        return Map.of("compute_seconds", compute, "exchange_seconds", exchange, "data_seconds", data);
    }

    private static void requireSum(WorkerTime time, double all) {
        assertThat(time.compute() + time.exchange() + time.data() + time.start() + time.untold() + time.idle())
                .isCloseTo(all, EXACTLY);
    }

    @Test
    void shouldAddUpWhatTheActivationsToldAndLeaveTheRestToStartsAndIdleness() {
        WorkerTime time = WorkerTime.of(ExampleReport.of(
                null,
                null,
                List.of(
                        activation(10, told(6.0, 2.0, 0.5)),
                        activation(12, told(7, 3, 1)),
                        activation(5, Map.of("samples", 3)))));

        assertThat(time).isEqualTo(new WorkerTime(13, 5, 1.5, 2.5, 5, 80 - 27));
        requireSum(time, 80);
    }

    @Test
    void shouldTakeNoMoreThanAnActivationWasLong() {
        WorkerTime time = WorkerTime.of(ExampleReport.of(
                null,
                null,
                List.of(
                        activation(10, told(1e300, 5, 5)),
                        activation(10, told(-3, Double.NaN, 4)),
                        activation(10, told(1, "many", 20)))));

        assertThat(time).isEqualTo(new WorkerTime(11, 0, 4 + 9, 6, 0, 50));
    }

    @Test
    void shouldCountTheWorkersOfAnElasticRunFromEachChangeOn() {
        List<FleetChange> fleet = List.of(
                new FleetChange(0, 1, "the first"), new FleetChange(5, 3, "more"), new FleetChange(15, 2, "fewer"));

        WorkerTime time = WorkerTime.of(ExampleReport.of(null, fleet, List.of(activation(20, told(20, 0, 0)))));

        assertThat(time.idle()).isEqualTo(5 + 30 + 10 - 20);
    }

    @Test
    void shouldHaveNoIdleTimeBelowZero() {
        WorkerTime time = WorkerTime.of(ExampleReport.of(null, null, List.of(activation(200, told(150, 0, 0)))));

        assertThat(time.idle()).isZero();
        assertThat(time.start()).isEqualTo(50);
    }

    @Test
    void shouldStandInTheReportAndOnItsPage() {
        Report report = ExampleReport.of(null, null, List.of(activation(40, told(20, 4, 0))));

        JsonNode json = JsonMapper.shared().valueToTree(report);
        assertThat(json.path("workerTime").path("compute").asDouble()).isEqualTo(20);
        assertThat(json.path("workerTime").path("idle").asDouble()).isEqualTo(40);
        assertThat(ReportPage.write(report))
                .contains(
                        "<th>forward and backward</th><td>20.0</td><td>25%</td>",
                        "<th>exchange with the parameter server</th><td>4.0</td><td>5%</td>",
                        "<th>starts and ends of activations</th><td>16.0</td><td>20%</td>",
                        "<th>idle</th><td>40.0</td><td>50%</td>")
                .doesNotContain("not measured");
    }
}
