package org.fleetgrad.ps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Buffered;
import org.fleetgrad.ps.training.TrainingRun;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * The bugs of the server that this design follows, one test each: an HTTP parameter server of 2021 for a course, whose API
 * names are still used here.
 */
@Timeout(60)
@Tag("whole")
class OriginalMistakesTest {

    private static final float[] ONES = {1, 1, 1, 1, 1, 1};
    private static final RunningService SERVICE = RunningService.start("ps.learning-rate=0.5")
            .startingAt(0, 0, 0, 0, 0, 0)
            .withWorkers("a", "b");

    private static final AtomicBoolean IS_EXECUTED = new AtomicBoolean();

    @AfterAll
    static void stop() {
        SERVICE.close();
    }

    /** It zeroed the gradients before each of a step, so that only the last survived, divided by their number. */
    @Test
    void shouldAverageAllGradientsOfAStepNotOnlyTheLast() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Async(4)).startingAt(0).withWorkers("a")) {
            run.push("a", 1, 0, 8);
            run.push("a", 2, 0, 16);
            run.push("a", 3, 0, 24);
            run.push("a", 4, 0, 0);

            assertThat(run.values()).containsExactly(-TrainingRun.LEARNING_RATE * 12);
        }
    }

    /** It checked whether more gradients were queued than a step takes. */
    @Test
    void shouldStepAtTheNthGradientNotAtTheOneAfter() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Async(4)).startingAt(0).withWorkers("a")) {
            for (int push = 1; push < 4; push++) {
                assertThat(run.push("a", push, 0, 1)).isEqualTo(new Buffered(0));
            }
            assertThat(run.push("a", 4, 0, 1)).isEqualTo(new Applied(1, 0));
        }
    }

    /** Its step included earlier pushes, so a worker's sums carried over from step to step. */
    @Test
    void shouldBeginEachStepWithoutTheGradientsOfTheLast() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Async(2)).startingAt(0).withWorkers("a")) {
            run.push("a", 1, 0, 100);
            run.push("a", 2, 0, 100);
            float[] before = run.values();
            run.push("a", 3, 1, 2);
            run.push("a", 4, 1, 4);

            assertThat(run.values()[0] - before[0]).isEqualTo(-TrainingRun.LEARNING_RATE * 3);
        }
    }

    /** Its queue reported a size before it had the items, and a step that found too few dropped those that it had taken. */
    @Test
    void shouldNotLoseGradientsUnderConcurrentPushes() throws InterruptedException, ExecutionException {
        int workers = 8;
        int pushes = 40;
        ExecutorService threads = Executors.newFixedThreadPool(workers);
        try (RunningService service = RunningService.start("ps.learning-rate=0.5", "ps.mode=async:gradients=4")
                .startingAt(0, 0, 0, 0, 0, 0)) {
            List<Future<?>> all = new ArrayList<>();
            for (int worker = 0; worker < workers; worker++) {
                String id = "w" + worker;
                service.withWorkers(id);
                all.add(threads.submit(() -> {
                    for (int push = 1; push <= pushes; push++) {
                        assertThat(service.send(service.push(id, push, 0, ONES)).statusCode())
                                .isIn(200, 202);
                    }
                }));
            }
            for (Future<?> worker : all) {
                worker.get();
            }

            int steps = workers * pushes / 4;
            assertThat(service.version()).isEqualTo(steps);
            assertThat(service.values()).containsOnly(-0.5f * steps);
        } finally {
            threads.shutdown();
        }
    }

    /** It returned the version and the parameters in two responses, between which a step could happen. */
    @Test
    void shouldServeVersionAndParametersFromOneAnswer() {
        HttpResponse<byte[]> answer = SERVICE.send(SERVICE.get(Routes.GET_PARAMETER));

        String version = answer.headers().firstValue("X-Version").orElseThrow();
        assertThat(answer.headers().firstValue("ETag")).contains("\"%s-%s\"".formatted(SERVICE.generation(), version));
        assertThat(RunningService.decoded(answer).metadata())
                .containsEntry("version", version)
                .containsEntry("generation", SERVICE.generation());
    }

    /** It serialized the tensors while the optimizer changed them. */
    @Test
    void shouldNeverServeATornVersionWhileStepping() {
        try (RunningService service = RunningService.start("ps.learning-rate=0.5")
                .startingAt(0, 0, 0, 0, 0, 0)
                .withWorkers("a")) {
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(() -> {
                int pulls = 0;
                while (!isOver.get()) {
                    HttpResponse<byte[]> answer = service.send(service.get(Routes.GET_PARAMETER));
                    float expected = 0
                            - 0.5f
                                    * answer.headers()
                                            .firstValueAsLong("X-Version")
                                            .orElseThrow();
                    assertThat(RunningService.decoded(answer).toFloats(Tensors.LAYOUT))
                            .containsOnly(expected);
                    pulls++;
                }
                return pulls;
            });
            for (int push = 1; push <= 150; push++) {
                service.send(service.push("a", push, push - 1, ONES));
            }
            isOver.set(true);

            assertThat(reader.join()).isPositive();
        }
    }

    /** It did not know on which version a gradient was computed. */
    @Test
    void shouldKnowTheStalenessOfEachGradient() {
        long version = SERVICE.version();
        SERVICE.send(SERVICE.push("a", 100, version, ONES));

        JsonNode late = RunningService.body(SERVICE.send(SERVICE.push("b", 100, version, ONES)));

        assertThat(late.get("staleness").asLong()).isEqualTo(1);
        SERVICE.refused(SERVICE.push("b", 101, version + 100, ONES), 409, ProblemKind.FUTURE_VERSION.rule());
    }

    /** It could not tell a retry from another gradient, so nobody retried. */
    @Test
    void shouldLetARetriedPushCountOnce() {
        long version = SERVICE.version();
        SERVICE.send(SERVICE.push("a", 200, version, ONES));
        float[] once = SERVICE.values();

        HttpResponse<byte[]> retry = SERVICE.send(SERVICE.push("a", 200, version, ONES));

        assertThat(RunningService.body(retry).get("outcome").asString()).isEqualTo("duplicate");
        assertThat(SERVICE.version()).isEqualTo(version + 1);
        assertThat(SERVICE.values()).containsExactly(once);
    }

    /** It answered 201 and the word Error to a gradient that was correctly buffered. */
    @Test
    void shouldSayThatAGradientWaitsRatherThanError() {
        try (RunningService service = RunningService.start("ps.mode=async:gradients=2")
                .startingAt(ONES)
                .withWorkers("a")) {
            HttpResponse<byte[]> answer = service.send(service.push("a", 1, 0, ONES));

            assertThat(answer.statusCode()).isEqualTo(202);
            assertThat(RunningService.body(answer).get("outcome").asString()).isEqualTo("buffered");
        }
    }

    /** Code that would run on a server that deserializes its clients' objects. */
    private static final class Payload implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) throws IOException {
            IS_EXECUTED.set(true);
        }
    }

    /** It unpickled every body, and so ran whatever code the body named. */
    @Test
    void shouldNotDeserializeObjects() throws IOException {
        ByteArrayOutputStream serialized = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(serialized)) {
            out.writeObject(new Payload());
        }
        byte[] body = serialized.toByteArray();

        for (String type : List.of("application/octet-stream", "application/x-java-serialized-object")) {
            SERVICE.refused(
                    SERVICE.tensors("POST", Routes.PUT_GRADIENT, body).setHeader("Content-Type", type),
                    415,
                    ProblemKind.UNSUPPORTED_MEDIA_TYPE.rule());
        }
        SERVICE.refused(SERVICE.tensors("POST", Routes.PUT_GRADIENT, body), 400, ProblemKind.MALFORMED.rule());
        SERVICE.refused(
                SERVICE.tensors("PUT", Routes.PUT_PARAMETER, body).header("If-Match", "*"),
                400,
                ProblemKind.MALFORMED.rule());

        assertThat(IS_EXECUTED).isFalse();
    }

    /** It took gradients from anyone, with any id or none. */
    @Test
    void shouldTakeGradientsOfRegisteredWorkersOnly() {
        SERVICE.refused(SERVICE.push("stranger", 1, SERVICE.version(), ONES), 409, ProblemKind.UNKNOWN_WORKER.rule());
    }

    /** It answered 0.0 for the accuracy, whatever the model could do. */
    @Test
    void shouldTellNoAccuracyThatNobodyMeasured() {
        JsonNode reply = RunningService.body(SERVICE.send(SERVICE.get(Routes.GET_ACCURACY)));

        assertThat(reply.has("accuracy")).isFalse();
    }

    /** Without a network it responded with a number instead of bytes, because it tested the class for it. */
    @Test
    void shouldSayThatThereAreNoParametersYet() {
        try (RunningService service = RunningService.start()) {
            service.refused(service.get(Routes.GET_PARAMETER), 404, ProblemKind.NO_PARAMETERS.rule());
        }
    }

    /** Its version began at 0 at each start, so a client could not tell a new history from its own. */
    @Test
    void shouldTellOneHistoryFromAnother() {
        try (RunningService restarted = RunningService.start().startingAt(ONES).withWorkers("a")) {
            assertThat(restarted.generation()).isNotEqualTo(SERVICE.generation());

            byte[] body = Tensors.gradient(Tensors.metadata("a", 1, SERVICE.generation(), 0), ONES);
            restarted.refused(
                    restarted.tensors("POST", Routes.PUT_GRADIENT, body), 409, ProblemKind.OTHER_GENERATION.rule());
        }
    }
}
