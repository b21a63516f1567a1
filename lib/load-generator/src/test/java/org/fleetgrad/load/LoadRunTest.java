package org.fleetgrad.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.load.TinyPredictServer.Said;
import org.fleetgrad.load.question.BodyFormat;
import org.fleetgrad.load.question.LoadRequests;
import org.fleetgrad.load.result.LoadFigures;
import org.fleetgrad.load.result.LoadResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadRunTest {

    /** Four images of one pixel, whose value is their label. */
    private static final ImageSamples SAMPLES =
            new ImageSamples(1, 1, 1, new byte[] {0, 1, 2, 3}, new byte[] {0, 1, 2, 3});

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final LoadRequests questions = new LoadRequests(SAMPLES, 1, BodyFormat.JSON, 1);

    /** Classifies every image correctly except 3. */
    private static Said threeOfFour(String body) {
        return answer(body.contains("[3]") ? 0 : Integer.parseInt(body.replaceAll("\\D", "")), 5);
    }

    private static Said answer(int label, long version) {
        return Said.ok(
                "{\"predictions\":[{\"class\":%d}],\"version\":%d,\"generation\":\"g\"}".formatted(label, version));
    }

    private LoadRun run(LoadSettings settings, Duration timeout, String... urls) {
        return new LoadRun(
                settings,
                questions,
                LoadTarget.of(List.of(urls), timeout, "").predictClients(questions.mediaType()),
                LoadClock.SYSTEM,
                System.currentTimeMillis(),
                row -> {});
    }

    private LoadResult result(LoadSettings settings, Function<String, Said> answers) throws Exception {
        try (TinyPredictServer server = new TinyPredictServer(answers);
                LoadRun run = run(settings, PATIENCE, server.url())) {
            run.connect();
            run.run(watched -> {});
            return run.result();
        }
    }

    @Test
    void shouldKeepOneConnectionForEachClientThroughAllPhases() throws Exception {
        try (TinyPredictServer server = new TinyPredictServer(LoadRunTest::threeOfFour);
                LoadRun run =
                        run(new LoadSettings(List.of(1, 4, 8), 400, OptionalDouble.empty()), PATIENCE, server.url())) {
            run.connect();
            run.run(watched -> {});

            assertThat(server.requests()).isEqualTo(1_200);
            assertThat(server.connections()).isEqualTo(8);
            assertThat(run.connections()).isEqualTo(8);
            LoadResult result = run.result();
            assertThat(result.all().failed()).isZero();
            assertThat(result.phases()).extracting(LoadFigures::requests).containsExactly(400L, 400L, 400L);
        }
    }

    @Test
    void shouldCountRightAnswers() throws Exception {
        LoadFigures all = result(LoadSettings.of(3, 400, OptionalDouble.empty()), LoadRunTest::threeOfFour)
                .all();

        assertThat(all.accuracy()).hasValue(0.75);
        assertThat(all.versionsSeen()).isEqualTo(1);
    }

    /** The labels of SAMPLES are their numbers. */
    @Test
    void shouldSendTheLabelsAfterEachResponse() throws Exception {
        List<String> labels = new CopyOnWriteArrayList<>();
        LoadSettings settings = new LoadSettings(List.of(2), 4, OptionalDouble.empty(), true);
        LoadFigures all = result(settings, body -> {
                    if (body.contains("answer")) {
                        labels.add(body);
                        return Said.ok("{\"counted\":1}");
                    }
                    int digit = Integer.parseInt(body.replaceAll("\\D", ""));
                    return Said.ok(
                            "{\"predictions\":[{\"class\":0}],\"version\":5,\"generation\":\"g\",\"answer\":\"id-%d\"}"
                                    .formatted(digit));
                })
                .all();

        assertThat(all.failed()).isZero();
        assertThat(labels)
                .containsExactlyInAnyOrder(
                        "{\"answer\":\"id-0\",\"labels\":[0]}",
                        "{\"answer\":\"id-1\",\"labels\":[1]}",
                        "{\"answer\":\"id-2\",\"labels\":[2]}",
                        "{\"answer\":\"id-3\",\"labels\":[3]}");
    }

    @Test
    void shouldFailRequestsWhoseFeedbackIsNotTaken() throws Exception {
        LoadSettings settings = new LoadSettings(List.of(1), 4, OptionalDouble.empty(), true);

        assertThat(result(settings, LoadRunTest::threeOfFour).all().failures())
                .containsOnlyKeys("the response has no id for feedback");
        assertThat(result(
                                settings,
                                body -> body.contains("answer")
                                        ? new Said(
                                                404,
                                                "{\"type\":\"urn:fleetgrad:problem:unknown-answer\",\"detail\":\"gone\"}",
                                                false)
                                        : Said.ok(
                                                "{\"predictions\":[{\"class\":0}],\"version\":5,\"generation\":\"g\",\"answer\":\"x\"}"))
                        .all()
                        .failures())
                .containsOnlyKeys("feedback: status 404 unknown-answer");
    }

    @Test
    void shouldSendAtTheRate() throws Exception {
        LoadFigures all = result(LoadSettings.of(2, 50, OptionalDouble.of(500)), LoadRunTest::threeOfFour)
                .all();

        // The last of 50 is due after 98 ms; no server can be faster than the rate.
        assertThat(all.seconds()).isGreaterThanOrEqualTo(0.098);
        assertThat(all.requests()).isEqualTo(50);
    }

    @Test
    void shouldConnectAgainWhenTheServerEndsAConnection() throws Exception {
        AtomicInteger count = new AtomicInteger();
        try (TinyPredictServer server = new TinyPredictServer(body -> {
                    Said said = threeOfFour(body);
                    return new Said(200, said.body(), count.incrementAndGet() % 10 == 0);
                });
                LoadRun run = run(LoadSettings.of(1, 30, OptionalDouble.empty()), PATIENCE, server.url())) {
            run.connect();
            run.run(watched -> {});

            assertThat(run.result().all().failed()).isZero();
            assertThat(server.connections()).isEqualTo(3);
            assertThat(run.connections()).isEqualTo(3);
        }
    }

    @Test
    void shouldCountFailuresByReasonAndNeverRepeatAQuestion() throws Exception {
        AtomicInteger count = new AtomicInteger();
        LoadFigures all = result(LoadSettings.of(1, 30, OptionalDouble.empty()), body -> switch (count.incrementAndGet()
                        % 3) {
                    case 0 -> new Said(200, "", true);
                    case 1 -> new Said(503, "{\"type\":\"urn:fleetgrad:problem:too-busy\",\"status\":503}", false);
                    default -> threeOfFour(body);
                })
                .all();

        assertThat(count).hasValue(30);
        assertThat(all.requests()).isEqualTo(30);
        assertThat(all.failed()).isEqualTo(20);
        assertThat(all.failures())
                .containsOnly(
                        Map.entry("status 503 too-busy", 10L),
                        Map.entry("the server closed the connection without a response", 10L));
    }

    @Test
    void shouldGiveUpAnAnswerThatDoesNotCome() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (TinyPredictServer server = new TinyPredictServer(body -> {
                    try {
                        end.await();
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                    return threeOfFour(body);
                });
                LoadRun run = run(LoadSettings.of(1, 2, OptionalDouble.empty()), Duration.ofMillis(50), server.url())) {
            run.connect();
            run.run(watched -> {});

            assertThat(run.result().all().failures()).containsExactly(Map.entry("no response in time", 2L));
            // The server may hear of a connection only when its client is gone.
            while (server.connections() < 2) {
                Thread.onSpinWait();
            }
            assertThat(run.connections()).isEqualTo(2);
            end.countDown();
        }
    }

    @Test
    void shouldAskSeveralServersInTurn() throws Exception {
        try (TinyPredictServer one = new TinyPredictServer(body -> answer(0, 1));
                TinyPredictServer two = new TinyPredictServer(body -> answer(0, 2));
                LoadRun run = run(LoadSettings.of(2, 100, OptionalDouble.empty()), PATIENCE, one.url(), two.url())) {
            run.connect();
            run.run(watched -> {});

            assertThat(one.requests()).isBetween(49, 51);
            assertThat(one.requests() + two.requests()).isEqualTo(100);
            assertThat(one.connections()).isEqualTo(2);
            assertThat(run.result().all().versionsSeen()).isEqualTo(2);
        }
    }

    @Test
    void shouldKeepWhatItHasWhenItIsStopped() throws Exception {
        AtomicInteger count = new AtomicInteger();
        LoadRun[] stopped = new LoadRun[1];
        try (TinyPredictServer server = new TinyPredictServer(body -> {
                    if (count.incrementAndGet() == 20) {
                        stopped[0].stop();
                    }
                    return threeOfFour(body);
                });
                LoadRun run = run(
                        new LoadSettings(List.of(1, 1), 1_000_000, OptionalDouble.empty()), PATIENCE, server.url())) {
            stopped[0] = run;
            run.connect();
            run.run(watched -> {});

            assertThat(run.result().all().requests()).isEqualTo(20);
            assertThat(run.result().phases()).hasSize(1);
        }
    }

    @Test
    void shouldSayAtOnceThatNobodyListens() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        try (LoadRun run = run(LoadSettings.of(1, 1, OptionalDouble.empty()), PATIENCE, "http://127.0.0.1:" + free)) {
            assertThatIOException().isThrownBy(run::connect).withMessageContaining("refused");
        }
    }
}
