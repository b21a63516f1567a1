package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.testing.GrafanaDashboard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Grafana's dashboard queries only metrics that this service has. */
class DashboardContractTest {

    private static final float[] ONES = {1, 1, 1, 1, 1, 1};

    @Test
    void shouldExposeEachMetricOfTheDashboard(@TempDir Path folder) throws Exception {
        try (RunningService service = RunningService.start(
                        "ps.durability.mode=journal", "ps.durability.location=" + folder.resolve("run"))
                .startingAt(ONES)
                .withWorkers("a")) {
            String before = metrics(service);
            assertThat(before.lines()).contains("ps_training_loss NaN", "ps_heldout_accuracy NaN");

            service.send(service.push("a", 1, service.version(), ONES));
            HttpResponse<byte[]> evaluated = service.send(service.json(
                    Routes.PUT_ACCURACY,
                    "{\"generation\":\"%s\",\"version\":1,\"accuracy\":0.75,\"accuracyTop5\":0.875,\"loss\":0.5,\"samples\":8}"
                            .formatted(service.generation())));
            assertThat(evaluated.statusCode()).isEqualTo(200);

            String metrics = metrics(service);
            assertThat(metrics.lines())
                    .contains(
                            "ps_training_loss 0.25",
                            "ps_heldout_accuracy 0.75",
                            "ps_heldout_accuracy_top5 0.875",
                            "ps_heldout_loss 0.5");
            assertThat(GrafanaDashboard.metrics("ps-service")).hasSizeGreaterThan(10);
            assertThat(GrafanaDashboard.missing("ps-service", metrics)).isEmpty();
        }
    }

    private static String metrics(RunningService service) {
        return new String(service.send(service.get("/actuator/prometheus")).body(), StandardCharsets.UTF_8);
    }
}
