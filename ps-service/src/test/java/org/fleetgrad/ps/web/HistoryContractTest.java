package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.history.RunHistory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The time series of a run over HTTP, and across a restart. */
class HistoryContractTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final float[] ONES = {1, 1, 1, 1, 1, 1};

    @TempDir
    private Path folder;

    private static JsonNode history(RunningService service, String query) {
        return RunningService.body(service.send(service.get(Routes.HISTORY + query)));
    }

    private static JsonNode last(JsonNode points) {
        return points.get(points.size() - 1);
    }

    private static void awaitVersion(RunningService service, long version) {
        await().atMost(PATIENCE)
                .until(() -> service.bean(RunHistory.class).state().points().stream()
                        .anyMatch(point -> point.version() == version));
    }

    @Test
    void shouldBeEmptyBeforeThereAreParameters() {
        try (RunningService service = RunningService.start()) {
            JsonNode history = history(service, "");

            assertThat(history.get("points").size()).isZero();
            assertThat(history.get("evaluations").size()).isZero();
            assertThat(history.get("checkpoints").size()).isZero();
            assertThat(history.get("nowMs").asLong()).isPositive();
        }
    }

    @Test
    void shouldTellFiguresAndEvaluations() {
        try (RunningService service = RunningService.start().startingAt(ONES).withWorkers("a")) {
            awaitVersion(service, 0);
            service.send(service.push("a", 1, 0, ONES));
            awaitVersion(service, 1);
            service.send(service.json(
                    Routes.PUT_ACCURACY,
                    "{\"generation\":\"%s\",\"version\":1,\"accuracy\":0.5,\"loss\":1.25,\"samples\":10}"
                            .formatted(service.generation())));

            JsonNode history = history(service, "");

            assertThat(history.get("generation").asString()).isEqualTo(service.generation());
            JsonNode first = history.get("points").get(0);
            assertThat(first.get("version").asLong()).isZero();
            assertThat(first.has("samplesPerSecond")).isFalse();
            assertThat(first.has("loss")).isFalse();
            JsonNode last = last(history.get("points"));
            assertThat(last.get("version").asLong()).isEqualTo(1);
            assertThat(last.get("samples").asLong()).isEqualTo(4);
            assertThat(last.get("loss").asDouble()).isEqualTo(0.25);
            assertThat(last.get("workers").asInt()).isEqualTo(1);
            assertThat(last.get("pushes").get("applied").asLong()).isEqualTo(1);
            JsonNode evaluation = history.get("evaluations").get(0);
            assertThat(evaluation.get("accuracy").asDouble()).isEqualTo(0.5);
            assertThat(evaluation.get("loss").asDouble()).isEqualTo(1.25);
        }
    }

    @Test
    void shouldTellRatesBetweenPointsAndOnlyWhatIsNew() {
        try (RunningService service = RunningService.start()) {
            RunHistory course = service.bean(RunHistory.class);
            course.add(point(10_000, true, 0, 0, 0, 0));
            course.add(point(12_000, false, 10, 500, 10, 15));
            course.add(point(13_000, true, 10, 500, 10, 15));
            course.add(point(14_000, false, 11, 800, 11, 15));

            JsonNode points = history(service, "").get("points");

            assertThat(points.get(0).has("samplesPerSecond")).isFalse();
            assertThat(points.get(1).get("samplesPerSecond").asDouble()).isEqualTo(250);
            assertThat(points.get(1).get("staleness").asDouble()).isEqualTo(1.5);
            assertThat(points.get(2).has("samplesPerSecond"))
                    .as("nothing is known of the time before a start")
                    .isFalse();
            assertThat(points.get(3).get("samplesPerSecond").asDouble()).isEqualTo(300);
            assertThat(points.get(3).get("staleness").asDouble()).isZero();
            JsonNode newest = history(service, "?after=13000").get("points");
            assertThat(newest.size()).isEqualTo(1);
            assertThat(newest.get(0)).isEqualTo(points.get(3));
        }
    }

    private static RunHistory.Point point(
            long timeMs, boolean isFirst, long version, long samples, long gradients, long stalenessSum) {
        return new RunHistory.Point(
                timeMs, isFirst, version, samples, Optional.of(1.0), gradients, stalenessSum, 1, Map.of());
    }

    @Test
    void shouldRefuseATimeThatIsNoNumber() {
        try (RunningService service = RunningService.start()) {
            service.refused(service.get(Routes.HISTORY + "?after=noon"), 400, ProblemKind.MALFORMED.rule());
        }
    }

    @Test
    void shouldGoOnAfterARestart() {
        String[] kept = {"ps.durability.mode=checkpoint", "ps.durability.location=" + folder.resolve("run")};
        JsonNode before;
        try (RunningService service =
                RunningService.start(kept).startingAt(ONES).withWorkers("a")) {
            awaitVersion(service, 0);
            service.send(service.push("a", 1, 0, ONES));
            awaitVersion(service, 1);
            before = history(service, "");
        }

        try (RunningService service = RunningService.start(kept)) {
            JsonNode after = history(service, "");

            assertThat(after.get("points").get(0))
                    .isEqualTo(before.get("points").get(0));
            awaitVersion(service, 1);
            assertThat(last(history(service, "").get("points")).get("samples").asLong())
                    .isEqualTo(4);
            assertThat(after.get("checkpoints").size()).isPositive();
        }
    }
}
