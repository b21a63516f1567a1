package org.fleetgrad.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.ParameterMessages.PushReply;
import org.fleetgrad.protocol.messages.ParameterMessages.StagedGradientsReply;
import org.fleetgrad.protocol.messages.Problem;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.messages.WorkerMessages.PassStepReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The outcome of a gradient when one of two servers responds differently from the other. */
class PartitionedServersTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(TensorSpec.f32("w", 8)));
    private static final Reply APPLIED = Reply.json(200, new PushReply(200, "applied", 8, 0, false, null));
    private static final Reply STAGED = Reply.json(202, new PushReply(202, "staged", 5, 0, false, null));
    private static final Reply DROPPED = Reply.json(200, new PushReply(200, "dropped", 5, 0, false, null));
    private static final Cursor CURSOR = new Cursor(0, 1, 64);

    private ScriptedServer lead;
    private ScriptedServer other;
    private ParameterServers servers;

    @BeforeEach
    void start() throws IOException {
        lead = new ScriptedServer(0);
        other = new ScriptedServer(0);
        ClientOptions options = ClientOptions.DEFAULT.withRetryFor(Duration.ZERO);
        servers = ParameterServers.of(List.of(new PsClient(lead.uri(), options), new PsClient(other.uri(), options)));
    }

    @AfterEach
    void stopAndCheckContract() {
        lead.close();
        other.close();
        lead.check(CONTRACT);
        other.check(CONTRACT);
    }

    @Test
    void shouldPushEachPartOnItsOwnVersionAndTheCursorToTheLead() throws Exception {
        lead.then(APPLIED);
        other.then(STAGED).then(APPLIED);

        assertThat(push(prepared(), false)).isInstanceOf(PushResult.Applied.class);

        TensorSet first = Safetensors.decode(lead.last().body());
        TensorSet second = Safetensors.decode(other.received().get(0).body());
        assertThat(first.metadata())
                .containsEntry("generation", "g0")
                .containsEntry("baseVersion", "7")
                .containsEntry("cursor", CURSOR.toString());
        assertThat(second.metadata())
                .containsEntry("generation", "g1")
                .containsEntry("baseVersion", "5")
                .containsEntry("sequence", first.metadata().get("sequence"))
                .doesNotContainKey("cursor");
        assertThat(first.toFloats(first.layout())).containsExactly(1, 2, 3, 4);
        assertThat(second.toFloats(second.layout())).containsExactly(5, 6, 7, 8);
    }

    @Test
    void shouldStageAtTheOthersBeforeTheLeadIsAskedAndSettleAfterwards() throws Exception {
        lead.then(APPLIED);
        other.then(STAGED).then(APPLIED);

        push(prepared(), true);

        assertThat(other.received())
                .extracting(request -> request.uri().toString())
                .first()
                .asString()
                .endsWith("/putGradient?stage=true");
        assertThat(other.last().uri().toString()).endsWith("/settleGradient?worker=w&sequence=3&as=counted&pull=true");
    }

    @Test
    void shouldGiveUpEverywhereWhatTheLeadRefuses() throws Exception {
        for (String rule : List.of("stale-gradient", "other-cursor", "other-generation")) {
            lead.then(Reply.problem(409, rule));
            other.then(STAGED).then(DROPPED);

            assertThat(push(prepared(), false)).isInstanceOf(PushResult.Stale.class);
            assertThat(other.last().uri().toString()).contains("as=dropped");
        }
        assertThat(servers.lostParts()).isZero();
    }

    @Test
    void shouldLeaveAGradientStagedWhoseWorkerRegistersAndRepeatsIt() throws Exception {
        lead.then(Reply.problem(409, "unknown-worker"));
        other.then(STAGED);

        assertThat(push(prepared(), false)).isInstanceOf(PushResult.UnknownWorker.class);

        assertThat(other.received()).hasSize(1);
    }

    @Test
    void shouldNotAskTheLeadIfAnotherServerRefuses() throws Exception {
        other.then(Reply.problem(409, "other-generation")).then(DROPPED);

        assertThat(push(prepared(), false)).isInstanceOf(PushResult.Stale.class);

        assertThat(lead.received()).isEmpty();
        assertThat(servers.lostParts()).isZero();
    }

    @Test
    void shouldSettleWhatAnEarlierWorkerOfItsNameLeftThere() throws Exception {
        lead.then(Reply.json(200, new PushReply(200, "duplicate", 7, 0, false, "applied")))
                .then(APPLIED);
        other.then(Reply.problem(409, "unsettled-gradient"))
                .then(Reply.json(200, new StagedGradientsReply(200, List.of(new StagedGradientsReply.Staged("w", 2)))))
                .then(APPLIED)
                .then(STAGED)
                .then(APPLIED);

        assertThat(push(prepared(), false)).isInstanceOf(PushResult.Applied.class);

        assertThat(lead.received().get(0).uri().toString()).endsWith("/settleGradient?worker=w&sequence=2&as=asked");
        assertThat(other.received().get(2).uri().toString()).endsWith("/settleGradient?worker=w&sequence=2&as=counted");
    }

    @Test
    void shouldRegisterAgainWhereTheWorkerIsForgotten() throws Exception {
        lead.then(APPLIED);
        other.then(Reply.problem(409, "unknown-worker"))
                .then(registered(0))
                .then(STAGED)
                .then(APPLIED);

        assertThat(push(prepared(), false)).isInstanceOf(PushResult.Applied.class);

        assertThat(other.received())
                .extracting(request -> request.uri().getPath())
                .containsExactly(
                        Routes.PUT_GRADIENT, Routes.REGISTER_WORKER, Routes.PUT_GRADIENT, Routes.SETTLE_GRADIENT);
        assertThat(servers.lostParts()).isZero();
    }

    @Test
    void shouldCountAPartUnderANumberThatTheServerCountedBeforeTheLeadLostItsMemory() throws Exception {
        Reply duplicate = Reply.json(200, new PushReply(200, "duplicate", 5, 0, false, "applied"));
        lead.then(APPLIED);
        other.then(duplicate).then(duplicate);

        push(prepared(), false);

        assertThat(servers.lostParts()).isEqualTo(1);
    }

    @Test
    void shouldCountAPartThatAServerDrops() throws Exception {
        lead.then(APPLIED);
        other.then(STAGED).then(Reply.problem(409, "unknown-gradient")).then(Reply.problem(409, "other-generation"));

        assertThat(push(prepared(), false)).isInstanceOf(PushResult.Applied.class);

        assertThat(servers.lostParts()).isEqualTo(1);
    }

    @Test
    void shouldRegisterUnderTheLeadsIdAndCountOnFromTheHighestSequence() throws Exception {
        lead.then(registered(3));
        other.then(registered(9));

        RegisterWorkerReply reply = servers.register(new RegisterWorkerRequest(null, "a test", null, "cpu"));

        assertThat(reply.sequence()).isEqualTo(9);
        assertThat(other.last().text()).contains("\"id\":\"w\"");
    }

    @Test
    void shouldTakeAnIdThatAnotherServerStillKnows() throws Exception {
        lead.then(registered(0));
        other.then(Reply.json(
                        409,
                        new Problem(
                                "urn:fleetgrad:problem:worker-exists",
                                "The worker is registered already",
                                409,
                                409,
                                "worker 'w' is registered",
                                20L))
                .with(Map.of("Content-Type", "application/problem+json")));

        assertThat(servers.register(new RegisterWorkerRequest("w", "a test", null, "cpu"))
                        .sequence())
                .as("the lead began anew, and the other server has counted 20 gradients")
                .isEqualTo(20);
    }

    @Test
    void shouldPassAndWaitWhereAServerIsBehindInSynchronousTraining() throws Exception {
        List<Reply> parts = parts("same", 4);
        lead.then(parts.get(0)).then(status(true));
        other.then(parts("same", 3).get(1))
                .then(Reply.json(200, new StagedGradientsReply(200, List.of())))
                .then(Reply.json(200, new PassStepReply(200, 4)))
                .then(parts.get(1));

        Pulled pulled = (Pulled) servers.as("w").pull();

        assertThat(pulled.parts()).extracting(ParameterVersion::version).containsExactly(4L, 4L);
        assertThat(other.received())
                .extracting(request -> request.uri().getPath())
                .containsExactly(Routes.GET_PARAMETER, Routes.STAGED_GRADIENTS, Routes.PASS_STEP, Routes.GET_PARAMETER);
    }

    @Test
    void shouldTakePartsOfDifferentVersionsInAsynchronousTraining() throws Exception {
        lead.then(parts("same", 4).get(0)).then(status(false));
        other.then(parts("same", 3).get(1));

        Pulled pulled = (Pulled) servers.as("w").pull();

        assertThat(pulled.version().version()).isEqualTo(4);
        assertThat(pulled.parts()).extracting(ParameterVersion::version).containsExactly(4L, 3L);
        assertThat(pulled.parameters().toFloats(LAYOUT)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    }

    @Test
    void shouldRefusePartsOfTwoRuns() {
        lead.then(parts("one", 4).get(0));
        other.then(parts("two", 4).get(1));

        assertThatThrownBy(() -> servers.pull())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("partitions of different parameter sets")
                .hasMessageContaining("they are of two runs");
    }

    @Test
    void shouldSayThatAServerHasAWholeSet() {
        lead.then(parts("one", 4).get(0));
        other.then(Reply.parameters(new ParameterVersion("g1", 4), LAYOUT, new float[8]));

        assertThatThrownBy(() -> servers.pull())
                .hasMessageContaining("has a whole parameter set, where partition 1/2 is expected");
    }

    @Test
    void shouldBeNothingButItsClientWithOneServer() {
        PsClient client = new PsClient(lead.uri(), ClientOptions.DEFAULT);

        assertThat(ParameterServers.of(List.of(client)).lead()).isSameAs(client);
        assertThatThrownBy(() -> ParameterServers.of(List.of())).hasMessageContaining("none is given");
    }

    private PushResult push(GradientSender gradient, boolean pull) throws IOException {
        Pulled base = new Pulled(versions().get(0), TensorSet.ofFloats(LAYOUT, new float[8], Map.of()), 32, versions());
        return servers.as("w")
                .push(
                        new GradientMetadata("w", 3, "g0", 7, 32, 0.5, Optional.of(CURSOR), OptionalLong.empty()),
                        base,
                        gradient,
                        pull);
    }

    private static GradientSender prepared() throws Exception {
        GradientSender gradient =
                new GradientSender(LAYOUT, ParameterState.NONE, FrozenTensors.NONE, Encodings.PLAIN, 2);
        gradient.prepare(versions(), new float[] {1, 2, 3, 4, 5, 6, 7, 8});
        return gradient;
    }

    private static List<ParameterVersion> versions() {
        return List.of(new ParameterVersion("g0", 7), new ParameterVersion("g1", 5));
    }

    private static Reply registered(long sequence) {
        return Reply.json(200, Reply.lease("w", 30_000, 7, sequence, null));
    }

    /** The client ignores the name of the mode. */
    private static Reply status(boolean synchronous) {
        return Reply.json(
                200,
                new StatusReply(
                        200,
                        "g",
                        4,
                        true,
                        1,
                        4,
                        "ssp",
                        synchronous,
                        "sgd",
                        "none",
                        "none",
                        0.1,
                        0,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        0,
                        0,
                        0,
                        Map.of(),
                        1,
                        List.of(),
                        null,
                        null));
    }

    /** The parts of a set as the servers send them. */
    private static List<Reply> parts(String run, long version) {
        TensorSet whole =
                TensorSet.ofFloats(LAYOUT, new float[] {1, 2, 3, 4, 5, 6, 7, 8}, Map.of("partition-origin", run));
        List<TensorSet> parts = Partitioning.of(LAYOUT, 2).split(whole);
        return List.of(part(parts.get(0), "g0", version), part(parts.get(1), "g1", version));
    }

    private static Reply part(TensorSet part, String generation, long version) {
        ParameterVersion of = new ParameterVersion(generation, version);
        Map<String, String> metadata = new TreeMap<>(part.metadata());
        metadata.put("generation", generation);
        metadata.put("version", Long.toString(version));
        Reply plain = Reply.parameters(of, part.layout(), part.toFloats(part.layout()));
        byte[] body = Safetensors.encode(new TensorSet(part.layout(), part.data(), metadata))
                .array();
        return Reply.bytes(200, plain.headers(), body);
    }
}
