package org.fleetgrad.mlflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.mlflow.TrackedRun.Status;
import org.fleetgrad.testing.DrippingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TrackedRunTest {

    private static final DeliveryPace FAST =
            new DeliveryPace(Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofMillis(20), Duration.ofSeconds(5));
    private static final RunDescription ABOUT =
            new RunDescription("fleetgrad", "first", Instant.EPOCH, Map.of("mlflow.user", "me"));

    private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    private FakeMlflow mlflow;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws IOException {
        mlflow = FakeMlflow.start();
    }

    @AfterEach
    void stop() {
        mlflow.close();
    }

    private TrackedRun begin() {
        return TrackedRun.begin(mlflow.address(), ABOUT, FAST, told::add);
    }

    private static List<Metric> row(int step) {
        return List.of(new Metric("train/loss", 1.0 / step, step, step), new Metric("workers", 2, step, step));
    }

    /** Waits for a request of a route, and returns when it was answered. */
    private void await(String route) throws InterruptedException {
        while (!mlflow.requests.take().equals(route)) {
            // Another one.
        }
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void shouldWriteAWholeRun() throws Exception {
        Path report = file("report.html", "<html>");
        try (TrackedRun run = begin()) {
            run.describe(Map.of("batchSize", "32"));
            run.log(row(1));
            run.log(row(2));
            run.log(List.of(new Metric("train/loss", Double.NaN, 3, 3)));
            run.finish(List.of(report));
            run.log(row(4));
        }

        assertThat(mlflow.runs).singleElement().asString().contains("mlflow.user");
        assertThat(mlflow.points)
                .containsExactly(
                        "train/loss@1=1.0",
                        "workers@1=2.0",
                        "train/loss@2=0.5",
                        "workers@2=2.0",
                        "train/loss@3=NaN",
                        "train/loss@4=0.25",
                        "workers@4=2.0");
        assertThat(mlflow.parameters).containsOnly(Map.entry("batchSize", "32"));
        assertThat(mlflow.artifacts).containsOnly(Map.entry("/1/r1/artifacts/report.html", 6));
        assertThat(mlflow.statuses).containsExactly("FINISHED");
        assertThat(mlflow.authorizations).containsOnly("Bearer t0ken");
        assertThat(told).singleElement().asString().contains("/#/experiments/1/runs/r1");
    }

    @Test
    void shouldSayThatARunThatDidNotFinishHasFailed() {
        try (TrackedRun run = begin()) {
            run.log(row(1));
        }

        assertThat(mlflow.statuses).containsExactly(Status.FAILED.name());
        assertThat(mlflow.points).hasSize(2);
    }

    @Test
    void shouldMakeOneRunWhenTheAnswerIsLost() {
        mlflow.loseAnswer(MlflowRoutes.CREATE_RUN);
        mlflow.loseAnswer(MlflowRoutes.CREATE_EXPERIMENT);
        mlflow.loseAnswer(MlflowRoutes.LOG_BATCH);
        mlflow.loseAnswer(MlflowRoutes.UPDATE_RUN);
        try (TrackedRun run = begin()) {
            run.log(row(1));
        }

        assertThat(mlflow.runs).hasSize(1);
        assertThat(mlflow.points).containsExactly("train/loss@1=1.0", "workers@1=2.0");
        assertThat(mlflow.statuses).containsOnly("FAILED");
    }

    @Test
    void shouldSendLaterWhatAServerDidNotTakeAtOnce() throws Exception {
        Path report = file("report.json", "{}");
        for (String route : List.of(MlflowRoutes.EXPERIMENT_BY_NAME, MlflowRoutes.LOG_BATCH, MlflowRoutes.ARTIFACTS)) {
            mlflow.answer(route, 503, "busy");
            mlflow.answer(route, 429, "busy");
        }
        try (TrackedRun run = begin()) {
            run.log(row(1));
            run.finish(List.of(report));
        }

        assertThat(mlflow.points).hasSize(2);
        assertThat(mlflow.artifacts).hasSize(1);
        assertThat(mlflow.statuses).containsExactly("FINISHED");
        assertThat(told).anyMatch(line -> line.contains("does not answer (it answered 503: busy); the run continues"));
    }

    @Test
    void shouldFindAServerThatCameLate() throws Exception {
        MlflowServer address = mlflow.address();
        mlflow.close();
        try (TrackedRun run = TrackedRun.begin(address, ABOUT, FAST, told::add)) {
            run.log(row(1));
            assertThat(told.take()).contains("does not answer");
            mlflow = FakeMlflow.startAt(address.address().getPort());
            await(MlflowRoutes.LOG_BATCH);
        }

        assertThat(mlflow.points).hasSize(2);
        assertThat(told).anyMatch(line -> line.endsWith("answers again"));
    }

    @Test
    void shouldGoOnWithoutAServerThatRefusesTheRun() throws Exception {
        mlflow.answer(
                MlflowRoutes.EXPERIMENT_BY_NAME, 401, "{\"error_code\": \"X\", \"message\": \"no t0ken\\u001b[31m\"}");
        try (TrackedRun run = begin()) {
            assertThat(told.take())
                    .contains("refused the run, which continues without it: 401 X no [hidden]")
                    .doesNotContain("\u001b");
            run.log(row(1));
        }

        assertThat(mlflow.requests).hasSize(1);
    }

    @Test
    void shouldTellOnceOfRefusedPoints() throws Exception {
        mlflow.answer(
                MlflowRoutes.LOG_BATCH, 400, "{\"error_code\": \"INVALID_PARAMETER_VALUE\", \"message\": \"bad\"}");
        try (TrackedRun run = begin()) {
            run.log(row(1));
            await(MlflowRoutes.LOG_BATCH);
            run.log(row(2));
        }

        assertThat(mlflow.points).hasSize(2);
        assertThat(told)
                .anyMatch(line -> line.endsWith("refused points and parameters: 400 INVALID_PARAMETER_VALUE bad"));
        assertThat(told).anyMatch(line -> line.contains("such as 2 points of its curves"));
    }

    @Test
    void shouldGiveUpSoonAtTheEndOfARunWhoseServerFails() throws Exception {
        for (int i = 0; i < 10_000; i++) {
            mlflow.answer(MlflowRoutes.EXPERIMENT_BY_NAME, 500, "no");
        }
        TrackedRun run = begin();
        assertThat(told.take()).contains("does not answer (it answered 500: no)");
        run.finish(List.of(file("report.html", "<html>")));
        int before = mlflow.requests.size();

        run.close();

        // Those before the run's end was noticed count, too; in the 20 s of patience there would be thousands.
        assertThat(mlflow.requests.size() - before).isBetween(3, 300);
        assertThat(told).anyMatch(line -> line.endsWith("does not have the run: it did not answer"));
    }

    @Test
    void shouldShowNothingThatControlsATerminal() throws Exception {
        mlflow.storeArtifactsAt("s3://\u001b[2J/");
        mlflow.answer(
                MlflowRoutes.CREATE_RUN,
                200,
                "{\"run\": {\"info\": {\"run_id\": \"r\\u001b[2J\", \"artifact_uri\": \"s3://\\u001b[2J\"}}}");
        try (TrackedRun run = begin()) {
            run.finish(List.of(file("report.html", "<html>")));
        }

        assertThat(told).hasSize(3).noneMatch(line -> line.contains("\u001b"));
    }

    @Test
    void shouldFollowNoRedirect() throws Exception {
        try (FakeMlflow other = FakeMlflow.start()) {
            mlflow.answer(
                    MlflowRoutes.EXPERIMENT_BY_NAME,
                    302,
                    other.address().at(MlflowRoutes.EXPERIMENT_BY_NAME).toString());
            try (TrackedRun run = begin()) {
                assertThat(told.take()).contains("302", "to http://127.0.0.1:");
                run.log(row(1));
            }

            assertThat(other.requests).isEmpty();
        }
    }

    @Test
    void shouldAskWhetherAPageIsMlflow() throws Exception {
        mlflow.answer(MlflowRoutes.EXPERIMENT_BY_NAME, 200, "<html>hello");
        try (TrackedRun run = begin()) {
            assertThat(told.take()).contains("is it MLflow? <html>hello");
            run.log(row(1));
        }
    }

    @Test
    void shouldKeepFilesThatTheServerStoresElsewhere() throws Exception {
        mlflow.storeArtifactsAt("s3://bucket/1/r1/artifacts");
        Path report = file("report.html", "<html>");
        try (TrackedRun run = begin()) {
            run.finish(List.of(report));
        }

        assertThat(mlflow.artifacts).isEmpty();
        assertThat(mlflow.statuses).containsExactly("FINISHED");
        assertThat(told).anyMatch(line -> line.contains("--serve-artifacts") && line.contains(folder.toString()));
    }

    @Test
    void shouldWaitForNoServerThatDripsForever() throws Exception {
        DeliveryPace hasty = new DeliveryPace(FAST.batch(), FAST.firstPause(), FAST.longest(), Duration.ofMillis(50));
        try (DrippingServer server = DrippingServer.start("HTTP/1.1 200 OK\r\nContent-Length: 900000000\r\n\r\n")) {
            MlflowServer address = MlflowServer.parse(server.uri().toString(), Map.of());
            long begin = System.nanoTime();
            try (TrackedRun run = TrackedRun.begin(address, ABOUT, hasty, told::add)) {
                for (int i = 1; i < Outbox.MOST_METRICS; i++) {
                    run.log(row(i));
                }
                assertThat(told.take()).contains("no complete answer within 50 ms");
            }
            // It failed: 5 s are left to tell so, and one to give up.
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
        }
    }

    @Test
    void shouldBoundWhatWaits() throws Exception {
        Outbox outbox = new Outbox();
        for (int i = 1; i <= Outbox.MOST_METRICS; i++) {
            outbox.add(row(i));
        }

        assertThat(outbox.lost()).isEqualTo(Outbox.MOST_METRICS);
        assertThat(outbox.take(Integer.MAX_VALUE, 0).metrics()).hasSize(Outbox.MOST_METRICS);
    }

    @Test
    void shouldSendInBatchesThatMlflowTakes() throws Exception {
        try (TrackedRun run = begin()) {
            for (int i = 1; i <= 1200; i++) {
                run.log(row(i));
            }
        }

        assertThat(mlflow.points).hasSize(2400).last().isEqualTo("workers@1200=2.0");
        assertThat(mlflow.requests.stream().filter(MlflowRoutes.LOG_BATCH::equals))
                .hasSizeGreaterThanOrEqualTo(3);
    }

    @Test
    void shouldCutAValueThatIsTooLong() throws Exception {
        try (TrackedRun run = begin()) {
            run.describe(Map.of("network", "x".repeat(10_000)));
        }

        assertThat(mlflow.parameters.get("network")).hasSize(500).endsWith("x… (10000 characters)");
    }

    @Test
    void shouldEndAtOnceWhenNothingIsLeft() throws Exception {
        TrackedRun run = begin();
        await(MlflowRoutes.CREATE_RUN);
        long begin = System.nanoTime();
        run.close();

        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin)).isLessThan(5);
        assertThat(mlflow.statuses).hasSize(1);
    }
}
