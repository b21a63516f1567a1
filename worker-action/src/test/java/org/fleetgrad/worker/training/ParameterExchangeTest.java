package org.fleetgrad.worker.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.ServerUnavailableException;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.client.fake.Push;
import org.fleetgrad.client.fake.PushFault;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.worker.training.TrainingTask.Identity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** One worker against a server that fails in every way of the contract. */
class ParameterExchangeTest {

    private static final TensorLayout LAYOUT =
            TensorLayout.canonical(List.of(TensorSpec.f32("w", 2), TensorSpec.f32("b", 1)));
    private static final TensorSet INITIAL = set(10, 20, 30);
    private static final float[] GRADIENT = {1, 2, 4};

    private FakeParameterServer server;

    @SuppressWarnings("NullAway.Init")
    private WorkerRegistration registration;

    @SuppressWarnings("NullAway.Init")
    private ParameterExchange exchange;

    @BeforeEach
    void open() throws IOException {
        server = new FakeParameterServer(0.5f);
        beAWorker(Optional.of("w1"));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void beAWorker(Optional<String> id) {
        beAWorker(id, Duration.ofSeconds(60));
    }

    private void beAWorker(Optional<String> id, Duration retryFor) {
        registration = new WorkerRegistration(
                ParameterServers.of(List.of(new PsClient(server.uri(), ClientOptions.DEFAULT.withRetryFor(retryFor)))),
                new Identity(id, "a test", "cpu", OptionalLong.of(123), Optional.empty(), Optional.empty()),
                PlainTraining.TRANSFER);
    }

    private Pulled join() throws Exception {
        registration.begin();
        NetworkSpec network =
                new NetworkSpec("tiny", new ImageClassification(List.of(1, 1, 1), 2), LAYOUT, ParameterState.NONE);
        exchange = PlainTraining.exchange(registration, network, () -> INITIAL);
        return exchange.pull();
    }

    private static TensorSet set(float... values) {
        return TensorSet.ofFloats(LAYOUT, values, Map.of("network", "tiny"));
    }

    private static float[] values(Pulled pulled) {
        return pulled.parameters().toFloats(LAYOUT);
    }

    private Pulled push() throws Exception {
        return exchange.push(exchange.newest(), PlainTraining.mean(GRADIENT, 64, 2), Optional.empty(), () -> false)
                .parameters();
    }

    private List<Long> sequences() {
        return server.pushes().stream().map(push -> push.metadata().sequence()).toList();
    }

    @Test
    void shouldPutItsInitialParametersWhereThereAreNone() throws Exception {
        Pulled joined = join();

        assertThat(values(joined)).containsExactly(10, 20, 30);
        assertThat(joined.version()).isEqualTo(new ParameterVersion("gen1", 0));
        assertThat(server.parameters().metadata()).containsEntry("network", "tiny");
        assertThat(server.calls())
                .containsExactly("POST /registerWorker", "GET /getParameter", "PUT /putParameter", "GET /getParameter");
    }

    @Test
    void shouldPullWhereThereAreParameters() throws Exception {
        server.start(7, set(1, 2, 3));
        assertThat(values(join())).containsExactly(1, 2, 3);
        assertThat(server.calls()).containsExactly("POST /registerWorker", "GET /getParameter");
        assertThat(exchange.tally().version()).isEqualTo(7);
    }

    @Test
    void shouldSayWhoItIs() throws Exception {
        join();
        JsonNode request = server.registrations().get(0);
        assertThat(request.get("id").stringValue()).isEqualTo("w1");
        assertThat(request.get("description").stringValue()).isEqualTo("a test");
        assertThat(request.get("device").stringValue()).isEqualTo("cpu");
        assertThat(request.get("deadline").longValue()).isEqualTo(123);
    }

    @Test
    void shouldTakeTheIdThatTheServerDraws() throws Exception {
        beAWorker(Optional.empty());
        join();
        push();

        assertThat(server.pushes().get(0).metadata().worker()).isEqualTo("drawn-1");
        assertThat(registration.worker()).isEqualTo("drawn-1");
    }

    @Test
    void shouldNotTakeAnIdThatAnotherHolds() throws Exception {
        join();
        beAWorker(Optional.of("w1"));

        assertThatThrownBy(this::join)
                .isInstanceOf(ProblemException.class)
                .hasMessage("POST /registerWorker: 409 w1 is registered");
    }

    @Test
    void shouldPushUnderGrowingNumbersAndGoOnFromTheAnswer() throws Exception {
        join();

        assertThat(values(push())).containsExactly(9.5f, 19, 28);
        assertThat(values(push())).containsExactly(9, 18, 26);

        assertThat(sequences()).containsExactly(1L, 2L);
        Push second = server.pushes().get(1);
        assertThat(second.metadata().worker()).isEqualTo("w1");
        assertThat(second.metadata().generation()).isEqualTo("gen1");
        assertThat(second.metadata().baseVersion()).isEqualTo(1);
        assertThat(second.metadata().samples()).isEqualTo(64);
        assertThat(second.metadata().loss()).isEqualTo(1.5);
        assertThat(second.gradient(LAYOUT)).containsExactly(GRADIENT);
        assertThat(exchange.tally().pushes()).isEqualTo(2);
        // Three pulls and two pushes of three values.
        assertThat(exchange.tally().bytes()).isEqualTo(5 * 12);
        assertThat(server.calls()).endsWith("POST /putGradient?pull=true", "POST /putGradient?pull=true");
    }

    @Test
    void shouldCountOnFromWhatTheServerRemembersOfItsId() throws Exception {
        server.remember(41);
        join();
        push();

        assertThat(sequences()).containsExactly(42L);
    }

    @Test
    void shouldCountOnceWhereTheAnswerIsLost() throws Exception {
        join();
        server.next(PushFault.lostResponse());

        assertThat(values(push())).containsExactly(9.5f, 19, 28);

        assertThat(sequences()).containsExactly(1L, 1L);
        assertThat(exchange.tally().pushes()).isEqualTo(1);
        assertThat(exchange.tally().duplicates()).isEqualTo(1);
        assertThat(server.version()).isEqualTo(1);
    }

    @Test
    void shouldCountOnceWhereTheRequestIsLostOrTheServerBusy() throws Exception {
        join();
        server.next(PushFault.lostRequest()).next(PushFault.busy());

        assertThat(values(push())).containsExactly(9.5f, 19, 28);

        assertThat(sequences()).containsExactly(1L, 1L, 1L);
        assertThat(exchange.tally().pushes()).isEqualTo(1);
        assertThat(exchange.tally().duplicates()).isZero();
    }

    @Test
    void shouldGiveUpOnAServerThatStaysAway() throws Exception {
        beAWorker(Optional.empty(), Duration.ZERO);
        join();
        server.next(PushFault.busy());

        assertThatThrownBy(this::push)
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("it answers 503");
    }

    @Test
    void shouldRegisterAgainUnderItsIdAndSendTheSameNumber() throws Exception {
        beAWorker(Optional.empty());
        join();
        push();
        server.next(PushFault.forgetWorkers());

        assertThat(values(push())).containsExactly(9, 18, 26);

        assertThat(sequences()).containsExactly(1L, 2L, 2L);
        assertThat(server.registrations()).hasSize(2);
        assertThat(server.registrations().get(1).get("id").stringValue()).isEqualTo("drawn-1");
        assertThat(exchange.tally().pushes()).isEqualTo(2);
        assertThat(exchange.tally().stale()).isZero();
    }

    /** The second registration arrived and its response was lost: the id is taken, and it is ours. */
    @Test
    void shouldGoOnWhereItsIdIsRegisteredAlready() throws Exception {
        join();
        server.next(PushFault.refused(409, "unknown-worker", "the lease of w1 ran out"));

        assertThat(values(push())).containsExactly(9.5f, 19, 28);

        assertThat(sequences()).containsExactly(1L, 1L);
        assertThat(server.registrations()).hasSize(2);
    }

    @Test
    void shouldBringItsParametersToAServerThatLostEverything() throws Exception {
        join();
        push();
        server.next(PushFault.loseEverything());

        Pulled next = push();

        assertThat(values(next)).containsExactly(9.5f, 19, 28);
        assertThat(next.version()).isEqualTo(new ParameterVersion("gen2", 0));
        assertThat(exchange.tally().pushes()).isEqualTo(1);
        assertThat(exchange.tally().stale()).isEqualTo(1);
        assertThat(values(push())).containsExactly(9, 18, 26);
        assertThat(server.pushes().get(3).metadata().generation()).isEqualTo("gen2");
        assertThat(server.parameters().metadata()).containsEntry("network", "tiny");
    }

    @Test
    void shouldPullAndGoOnWhereItsGradientIsStale() throws Exception {
        join();
        server.next(PushFault.stale());

        Pulled next = push();

        assertThat(values(next)).containsExactly(10, 20, 30);
        assertThat(next.version().version()).isEqualTo(1);
        assertThat(exchange.tally().pushes()).isZero();
        assertThat(exchange.tally().stale()).isEqualTo(1);
        push();
        assertThat(sequences()).containsExactly(1L, 2L);
        assertThat(server.pushes().get(1).metadata().baseVersion()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"other-generation", "future-version", "sequence-too-old"})
    void shouldPullAndGoOnFromAnyOtherConflict(String rule) throws Exception {
        join();
        server.next(PushFault.refused(409, rule, "numbers"));

        assertThat(values(push())).containsExactly(10, 20, 30);
        assertThat(exchange.tally().stale()).isEqualTo(1);
    }

    @Test
    void shouldWaitForTheNextVersionWhereTheServerTakesNoMore() throws Exception {
        join();
        server.next(PushFault.buffer(true, 2));

        Pulled next = push();

        assertThat(values(next)).containsExactly(9.5f, 19, 28);
        assertThat(next.version().version()).isEqualTo(1);
        assertThat(server.calls().stream().filter(call -> call.equals("GET /getParameter?after=0&waitMs=500")))
                .hasSize(3);
        assertThat(exchange.tally().pushes()).isEqualTo(1);
    }

    @Test
    void shouldWaitForSlowerWorkersWhereItsGradientIsApplied() throws Exception {
        join();
        server.next(PushFault.tooFast(2));

        Pulled next = push();

        assertThat(next.version().version()).isEqualTo(1);
        assertThat(exchange.tally().pushes()).isEqualTo(1);
        assertThat(server.calls().stream().filter(call -> call.startsWith("GET /getParameter?after=0")))
                .hasSize(3);
    }

    /** The slowest worker may have left after it held up all others: then nobody makes the version that they wait for. */
    @ParameterizedTest
    @CsvSource({"0, 1", "100, 0"})
    void shouldTryAgainAfterAMomentWhereItWasTooFarAhead(int pollsWithoutVersion, long version) throws Exception {
        join();
        server.next(PushFault.tooFarAhead(pollsWithoutVersion));

        assertThat(push().version().version()).isEqualTo(version);
        assertThat(exchange.tally().stale()).isEqualTo(1);
        assertThat(server.calls().stream().filter(call -> call.startsWith("GET /getParameter?after=0")))
                .hasSize(1);
    }

    @Test
    void shouldGoOnAtOnceWhereTheServerTakesMore() throws Exception {
        join();
        int before = server.calls().size();
        server.next(PushFault.buffer(false, 0));

        assertThat(values(push())).containsExactly(10, 20, 30);

        assertThat(server.calls()).hasSize(before + 1);
        assertThat(exchange.tally().pushes()).isEqualTo(1);
    }

    @Test
    void shouldNotWaitOnceItIsToldToStop() throws Exception {
        join();
        server.next(PushFault.buffer(true, Integer.MAX_VALUE));
        int[] asked = {0};

        Pulled last = exchange.push(
                        exchange.newest(), PlainTraining.mean(GRADIENT, 64, 2), Optional.empty(), () -> asked[0]++ == 2)
                .parameters();

        assertThat(values(last)).containsExactly(10, 20, 30);
        assertThat(exchange.tally().pushes()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 413, 415, 422})
    void shouldFailWithTheServersWordsWhereItsGradientIsRefused(int status) throws Exception {
        join();
        PushFault refusal = PushFault.refused(status, "not-finite", "tensor 'w' holds NaN at 1");
        server.next(refusal);

        assertThatThrownBy(this::push)
                .isInstanceOf(TrainingFailedException.class)
                .hasMessage("the server refused gradient 1: tensor 'w' holds NaN at 1");
    }

    @Test
    void shouldFailWhereTheServerTrainsAnotherNetwork() throws Exception {
        TensorLayout other = TensorLayout.canonical(List.of(TensorSpec.f32("w", 3), TensorSpec.f32("b", 1)));
        server.start(7, TensorSet.ofFloats(other, new float[4], Map.of()));

        assertThatThrownBy(this::join)
                .isInstanceOf(TrainingFailedException.class)
                .hasMessageContaining("tensor 'w' has shape [3] (3 values)");
    }

    @Test
    void shouldEndItsRegistration() throws Exception {
        join();

        registration.end();

        assertThat(server.workers()).isEmpty();
        registration.end();
        assertThat(server.calls()).endsWith("POST /unregisterWorker", "POST /unregisterWorker");
    }

    @Test
    void shouldNotFailWhereNobodyHearsThatItLeaves() throws Exception {
        beAWorker(Optional.of("w1"), Duration.ZERO);
        join();
        server.close();
        assertThatCode(registration::end).doesNotThrowAnyException();
    }

    @Test
    void shouldHaveNothingToLeaveBeforeItJoined() {
        registration.end();

        assertThat(server.calls()).isEmpty();
    }
}
