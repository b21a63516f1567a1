package org.fleetgrad.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.fleetgrad.reports.chart.Chart;
import org.fleetgrad.reports.chart.Chart.Point;
import org.fleetgrad.reports.chart.Chart.Series;
import org.junit.jupiter.api.Test;

class PushPicturesTest {

    @Test
    void shouldDrawCostsByWorkersAndByParameters() {
        List<PushPoint> workers = List.of(new PushPoint(1, 0.2, 0.1, 5000, 0.2), new PushPoint(8, 1, 0.1, 8000, 0.2));
        List<PushPoint> parameters = List.of(new PushPoint(1_000_000, 3, 4, 300, 2));

        Map<String, Chart> pictures = PushPictures.of(workers, parameters);

        assertThat(pictures).containsOnlyKeys("push-cost-workers", "push-cost-parameters");
        assertThat(lastPanel(pictures, "push-cost-workers").get(0).points())
                .containsExactly(new Point(1, 5000), new Point(8, 8000));
        assertThat(lastPanel(pictures, "push-cost-parameters"))
                .extracting(line -> line.points().get(0).y())
                .containsExactly(3.0, 2.0);
    }

    private static List<Series> lastPanel(Map<String, Chart> pictures, String name) {
        return Objects.requireNonNull(pictures.get(name)).panels().get(1).series();
    }
}
