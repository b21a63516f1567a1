package org.fleetgrad.worker.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.fleetgrad.testing.ManualClock;
import org.fleetgrad.worker.action.ActionResult;
import org.fleetgrad.worker.action.ActionResult.ApplicationError;
import org.fleetgrad.worker.action.ActionResult.Success;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** How a standalone worker reacts to the results of its activations, with the test's clock. */
class ActivationLoopTest {

    private static final JsonNode BODY = JsonNodeFactory.instance.objectNode();
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final ActionResult MORE = answer(20, "more");
    private static final ActionResult DONE = answer(20, "done");
    private static final ActionResult NO_WORK = new ApplicationError(409, "POST /nextShard: 409 the run has no work");
    private static final ActionResult UNREACHABLE = new ApplicationError(504, "the server is away");

    private final ManualClock clock = new ManualClock();
    private final Deque<ActionResult> results = new ArrayDeque<>();
    private final List<Duration> pauses = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private int activations;
    private boolean isStaying;
    private int stopAfterPauses = Integer.MAX_VALUE;

    private static ActionResult answer(long samples, String work) {
        return new Success(Map.of("samples", samples, "work", work));
    }

    private WorkerExit run(ActionResult... script) throws InterruptedException {
        results.addAll(List.of(script));
        return new ActivationLoop(
                        body -> next(),
                        () -> pauses.size() >= stopAfterPauses,
                        clock,
                        duration -> {
                            pauses.add(duration);
                            clock.advance(duration);
                        },
                        TIMEOUT,
                        isStaying,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(BODY);
    }

    /** The last result of the script repeats for ever. */
    private ActionResult next() {
        activations++;
        return results.size() > 1 ? results.remove() : results.getFirst();
    }

    private List<String> out() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private List<String> err() {
        return err.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    @Test
    void shouldTrainWithoutAPauseUntilTheWorkIsDone() throws Exception {
        assertThat(run(MORE, MORE, DONE)).isEqualTo(WorkerExit.DONE);

        assertThat(activations).isEqualTo(3);
        assertThat(pauses).isEmpty();
        assertThat(out()).hasSize(3).allMatch(line -> line.startsWith("{") && line.contains("\"samples\":20"));
        assertThat(err()).containsExactly("the work is done");
    }

    @Test
    void shouldEndWithoutAnAnswerToPrintWhereOthersHaveDoneAllOfIt() throws Exception {
        assertThat(run(answer(0, "done"))).isEqualTo(WorkerExit.DONE);

        assertThat(out()).isEmpty();
    }

    @Test
    void shouldWaitForMoreWorkWhereItIsToStay() throws Exception {
        isStaying = true;
        stopAfterPauses = 3;

        assertThat(run(MORE, DONE, answer(0, "done"), MORE, answer(0, "done"))).isEqualTo(WorkerExit.STOPPED);

        assertThat(pauses).as("more work ends the wait").containsExactly(millis(250), millis(500), millis(250));
        assertThat(out()).hasSize(3);
        assertThat(err())
                .containsExactly("the work is done; waits for more", "continues", "the work is done; waits for more");
    }

    @Test
    void shouldReadWhetherItStays() {
        assertThat(StandaloneWorker.isStaying(Map.of())).isFalse();
        assertThat(StandaloneWorker.isStaying(Map.of("WORKER_WHEN_DONE", "exit")))
                .isFalse();
        assertThat(StandaloneWorker.isStaying(Map.of("WORKER_WHEN_DONE", "wait")))
                .isTrue();
        assertThatThrownBy(() -> StandaloneWorker.isStaying(Map.of("WORKER_WHEN_DONE", "stay")))
                .hasMessage("WORKER_WHEN_DONE must be exit or wait; it is 'stay'");
    }

    @Test
    void shouldWaitForWorkLongerThanItsTimeout() throws Exception {
        ActionResult[] script = new ActionResult[101];
        Arrays.fill(script, NO_WORK);
        script[100] = DONE;

        assertThat(run(script)).isEqualTo(WorkerExit.DONE);

        assertThat(pauses).hasSize(100);
        assertThat(pauses)
                .startsWith(millis(250), millis(500), millis(1000), millis(2000), millis(4000), millis(5000))
                .endsWith(millis(5000));
        assertThat(err())
                .containsExactly("waits: the parameter server has no work yet", "continues", "the work is done");
    }

    @Test
    void shouldWaitForOthersAndTakeWhatOneOfThemGivesBack() throws Exception {
        ActionResult others = answer(0, "wait");

        assertThat(run(MORE, others, others, MORE, others, DONE)).isEqualTo(WorkerExit.DONE);

        assertThat(pauses)
                .as("each wait begins with a short pause")
                .containsExactly(millis(250), millis(500), millis(250));
        assertThat(out()).hasSize(3);
        assertThat(err())
                .containsExactly(
                        "waits: others have all that is left of the work",
                        "continues",
                        "waits: others have all that is left of the work",
                        "continues",
                        "the work is done");
    }

    @Test
    void shouldTryAgainWhatPasses() throws Exception {
        ActionResult lost = new ApplicationError(404, "shard-0 could not be read: the store answered 403");

        assertThat(run(UNREACHABLE, UNREACHABLE, lost, NO_WORK, DONE)).isEqualTo(WorkerExit.DONE);

        assertThat(pauses).containsExactly(millis(250), millis(500), millis(250), millis(250));
        assertThat(err())
                .containsExactly(
                        "the server is away; tries again",
                        "shard-0 could not be read: the store answered 403; tries again",
                        "waits: the parameter server has no work yet",
                        "continues",
                        "the work is done");
    }

    @Test
    void shouldGiveUpWhenNothingButFailuresCame() throws Exception {
        assertThat(run(MORE, UNREACHABLE)).isEqualTo(WorkerExit.GAVE_UP);

        // 0.25 + 0.5 + 1 + 2 + 4 s, and then 5 s each.
        assertThat(pauses).hasSize(16);
        assertThat(err())
                .containsExactly(
                        "the server is away; tries again",
                        "gave up at try 17 without success, after 62 s (WORKER_RETRY_TIMEOUT is 60 s): the server is away");
    }

    @Test
    void shouldNotCountFailuresBeforeASuccess() throws Exception {
        List<ActionResult> script = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            script.addAll(Collections.nCopies(15, UNREACHABLE));
            script.add(i % 2 == 0 ? NO_WORK : MORE);
        }
        script.add(DONE);

        assertThat(run(script.toArray(ActionResult[]::new))).isEqualTo(WorkerExit.DONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 422})
    void shouldEndAtOnceWithWhatAnotherTryWouldMeetAgain(int code) throws Exception {
        assertThat(run(new ApplicationError(code, "why"))).isEqualTo(WorkerExit.REFUSED);

        assertThat(activations).isEqualTo(1);
        assertThat(pauses).isEmpty();
        assertThat(err()).containsExactly("why");
    }

    @Test
    void shouldEndAtOnceWithParametersThatAreWrong() throws Exception {
        assertThat(run(new ApplicationError(400, "there is no network 'lenet6'")))
                .isEqualTo(WorkerExit.USAGE);

        assertThat(activations).isEqualTo(1);
        assertThat(err()).containsExactly("there is no network 'lenet6'");
    }

    @Test
    void shouldStopWhileItWaits() throws Exception {
        stopAfterPauses = 3;

        assertThat(run(NO_WORK)).isEqualTo(WorkerExit.STOPPED);

        assertThat(activations).isEqualTo(3);
    }

    @Test
    void shouldBeginNothingOnceItIsToldToStop() throws Exception {
        stopAfterPauses = 0;

        assertThat(run(MORE)).isEqualTo(WorkerExit.STOPPED);

        assertThat(activations).isZero();
    }

    @ParameterizedTest
    @CsvSource({"'', PT10M", "30s, PT30S", "2h, PT2H", "1m30s, PT1M30S", "500ms, PT0.5S", "7d, PT168H", "0s, PT0S"})
    void shouldReadTheTimeout(String text, Duration expected) {
        assertThat(StandaloneWorker.timeout(Map.of("WORKER_RETRY_TIMEOUT", text)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"long", "10", "-5s", "169h", "8d"})
    void shouldRefuseATimeoutThatIsNoTime(String text) {
        assertThatThrownBy(() -> StandaloneWorker.timeout(Map.of("WORKER_RETRY_TIMEOUT", text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "WORKER_RETRY_TIMEOUT must be a duration from 0s to 7d, such as 30s or 10m; it is '%s'", text);
    }
}
