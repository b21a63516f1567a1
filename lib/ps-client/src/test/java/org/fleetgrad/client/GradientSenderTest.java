package org.fleetgrad.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.BFloat16;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.Float16;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.encoding.Rows;
import org.fleetgrad.protocol.encoding.TopK;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.ParameterMessages.PushReply;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GradientSenderTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final TensorLayout LAYOUT =
            TensorLayout.canonical(List.of(TensorSpec.f32("b", 1), TensorSpec.f32("a", 4)));
    private static final GradientMetadata METADATA = new GradientMetadata("w", 3, "g", 6, 32, 0.5);
    private static final ParameterVersion VERSION = new ParameterVersion("g", 7);

    private ScriptedServer server;
    private PsClient client;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer(0);
        client = new PsClient(server.uri(), ClientOptions.DEFAULT.withRetryFor(Duration.ZERO));
    }

    @AfterEach
    void stopAndCheckContract() {
        server.close();
        server.check(CONTRACT);
    }

    private ScriptedServer applying() {
        return server.then(Reply.json(200, new PushReply(200, "applied", 8, 1, false, null)));
    }

    /** What the server makes of the last push. */
    private float[] sent(Encoding encoding) throws SafetensorsException, EncodingException {
        float[] values = new float[5];
        encoding.decode(LAYOUT, Safetensors.decode(server.last().body()), values);
        return values;
    }

    @Test
    void shouldSendWhatItLeftOutWithTheNextGradient() throws Exception {
        TopK half = new TopK(0.5);
        GradientSender sender = new GradientSender(LAYOUT, ParameterState.NONE, FrozenTensors.NONE, half, 1);
        applying();
        applying();

        sender.prepare(List.of(), new float[] {1, 4, 3, 2, 5});
        assertThat(client.push(METADATA, sender, false))
                .isEqualTo(new PushResult.Applied(8, 1, false, false, Optional.empty()));
        assertThat(sent(half)).containsExactly(0, 4, 3, 0, 5);
        assertThat(Safetensors.decode(server.last().body()).metadata()).containsEntry("encoding", "topk:0.5");
        sender.prepare(List.of(), new float[] {1, 1, 1, 1, 1});
        PushResult unused = client.push(METADATA, sender, false);

        assertThat(sent(half)).containsExactly(2, 0, 0, 3, 1);
        assertThat(sender.tensorBytes()).isEqualTo(3 * 8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"f32", "f16", "bf16", "i8", "topk:0.5", "2bit", "rows"})
    void shouldSendTheSameBytesWheneverItIsAsked(String text) throws Exception {
        GradientSender sender =
                new GradientSender(LAYOUT, ParameterState.NONE, FrozenTensors.NONE, Encodings.parse(text), 1);
        server.then(Reply.problem(409, "unknown-worker"));
        applying();

        sender.prepare(List.of(), new float[] {0.1f, 4, 3, 2, 5});
        assertThat(client.push(METADATA, sender, true)).isInstanceOf(PushResult.UnknownWorker.class);
        ByteBuffer first = server.last().body();
        assertThat(client.push(METADATA, sender, true)).isInstanceOf(PushResult.Applied.class);

        assertThat(server.last().body()).isEqualTo(first);
        assertThat(Safetensors.decode(first).layout().byteLength()).isEqualTo(sender.tensorBytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"409 stale-gradient", "409 no-parameters", "409 other-generation"})
    void shouldGoOnAsIfADroppedGradientHadNotBeen(String answer) throws Exception {
        TopK half = new TopK(0.5);
        GradientSender sender = new GradientSender(LAYOUT, ParameterState.NONE, FrozenTensors.NONE, half, 1);
        applying().then(Reply.problem(409, answer.substring(4)));
        applying();

        sender.prepare(List.of(), new float[] {1, 4, 3, 2, 5});
        PushResult unused = client.push(METADATA, sender, false);
        sender.prepare(List.of(), new float[] {100, 100, 50, 50, 100});
        unused = client.push(METADATA, sender, false);
        assertThat(sent(half)).containsExactly(101, 100, 0, 0, 100);
        sender.prepare(List.of(), new float[] {0, 0, 0, 0, 0});
        unused = client.push(METADATA, sender, false);

        assertThat(sent(half)).containsExactly(1, 0, 0, 2, 0);
    }

    @Test
    void shouldSendEachGradientsOwnRows() throws Exception {
        TensorLayout matrix = TensorLayout.inOrder(List.of(TensorSpec.f32("m", 3, 2)));
        GradientSender sender = new GradientSender(matrix, ParameterState.NONE, FrozenTensors.NONE, new Rows(), 1);
        long[] bytes = {12, 24, 0};
        float[][] gradients = {{0, 0, 1, 2, 0, 0}, {1, 2, 3, 4, 5, 6}, new float[6]};
        for (int i = 0; i < gradients.length; i++) {
            applying();
            sender.prepare(List.of(), gradients[i]);
            PushResult unused = client.push(METADATA, sender, false);

            TensorSet sent = Safetensors.decode(server.last().body());
            float[] read = new float[6];
            new Rows().decode(matrix, sent, read);
            assertThat(read).containsExactly(gradients[i]);
            assertThat(sent.metadata()).containsEntry("encoding", "rows");
            assertThat(sent.layout().byteLength()).isEqualTo(bytes[i]);
            assertThat(sender.tensorBytes()).isEqualTo(bytes[i]);
        }
    }

    @Test
    void shouldForgetWhatItLeftOutInAnotherHistory() throws Exception {
        TopK half = new TopK(0.5);
        GradientSender sender = new GradientSender(LAYOUT, ParameterState.NONE, FrozenTensors.NONE, half, 1);
        applying();
        applying();
        applying();

        for (String generation : new String[] {"g", "g", "h"}) {
            sender.follow(generation);
            sender.prepare(List.of(), new float[] {1, 4, 3, 2, 5});
            PushResult unused = client.push(METADATA, sender, false);
            // The residual of the first goes with the second; the residual of the second belongs to another history.
            assertThat(sent(half)[1]).isEqualTo(4);
        }

        assertThat(server.received().stream()
                        .map(ScriptedServer.Received::body)
                        .toList()
                        .get(2))
                .isEqualTo(server.received().get(0).body())
                .isNotEqualTo(server.received().get(1).body());
    }

    @Test
    void shouldNotEncodeWhatIsNotFinite() {
        GradientSender sender = new GradientSender(LAYOUT, ParameterState.NONE, FrozenTensors.NONE, new Float16(), 1);

        assertThatThrownBy(() -> sender.prepare(List.of(), new float[] {0, 0, Float.POSITIVE_INFINITY, 0, 0}))
                .isInstanceOf(EncodingException.class)
                .hasMessage("value 2 of 4 of tensor 'a' is Infinity, which does not travel as f16");
        assertThatIllegalStateException()
                .isThrownBy(() -> client.push(METADATA, sender, false))
                .withMessage("no gradient was prepared");
    }

    @ParameterizedTest
    @ValueSource(strings = {"f16", "bf16", "i8"})
    void shouldAskForEncodedParametersAndGiveFloat32(String name) throws Exception {
        ParameterEncoding encoding = Encodings.parseOfParameters(name);
        server.then(encoded(encoding))
                .then(Reply.bytes(304, Map.of(), new byte[0]))
                .then(encoded(encoding).with(Map.of(HeaderNames.OUTCOME, "applied", HeaderNames.STALENESS, "0")));
        PsClient halved = client.pullingAs(encoding).as("w");

        assertThat(halved.pull()).isInstanceOfSatisfying(Pulled.class, pulled -> {
            assertThat(pulled.parameters().toFloats(LAYOUT)).containsExactly(1, 2, -3, 127, 5);
            assertThat(pulled.parameters().metadata()).doesNotContainKey("encoding");
            assertThat(pulled.bytes()).isEqualTo(encoding.wireLayout(LAYOUT).byteLength());
        });
        assertThat(server.last().uri()).isEqualTo(URI.create("/getParameter?encoding=" + name));
        assertThat(halved.pullOtherThan(VERSION, Duration.ZERO)).isEqualTo(new PullResult.NotModified());
        assertThat(server.last().uri()).isEqualTo(URI.create("/getParameter?after=7&waitMs=0&encoding=" + name));
        assertThat(server.last().header("If-None-Match")).isEqualTo("\"g-7-%s\"".formatted(name));
        GradientSender sender = new GradientSender(LAYOUT, ParameterState.NONE, FrozenTensors.NONE, new BFloat16(), 1);
        sender.prepare(List.of(), new float[5]);
        assertThat(halved.push(METADATA, sender, true)).isInstanceOf(PushResult.Applied.class);
        assertThat(server.last().uri()).isEqualTo(URI.create("/putGradient?pull=true&encoding=" + name));
    }

    @Test
    void shouldTakeFloat32OfAServerThatKnowsNothingElse() throws Exception {
        server.then(Reply.parameters(VERSION, LAYOUT, new float[] {1, 2, 3, 4, 5}));

        assertThat(client.pullingAs(new Float16()).pull()).isInstanceOfSatisfying(Pulled.class, pulled -> {
            assertThat(pulled.parameters().toFloats(LAYOUT)).containsExactly(1, 2, 3, 4, 5);
            assertThat(pulled.bytes()).isEqualTo(20);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"topk", "zip", "f16", "i8:1"})
    void shouldRefuseParametersThatAreNotWhatTheySay(String text) {
        server.then(file(
                LAYOUT,
                ByteBuffer.allocate(20),
                Map.of("generation", "g", "version", "7", "encoding", text),
                VERSION.etag()));

        assertThatThrownBy(() -> client.pull())
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("GET /getParameter answered a malformed parameter set: ");
    }

    private static Reply encoded(ParameterEncoding encoding) {
        TensorLayout wire = encoding.wireLayout(LAYOUT);
        ByteBuffer data = ByteBuffer.allocate((int) wire.byteLength());
        encoding.encode(LAYOUT, new float[] {1, 2, -3, 127, 5}, data);
        return file(
                wire,
                data.flip(),
                Map.of("generation", "g", "version", "7", "encoding", encoding.text()),
                VERSION.etagAs(encoding.name()));
    }

    private static Reply file(TensorLayout layout, ByteBuffer data, Map<String, String> metadata, String etag) {
        ByteBuffer file = Safetensors.encode(new TensorSet(layout, data, metadata));
        Map<String, String> headers = Map.of(
                "Content-Type",
                HeaderNames.SAFETENSORS,
                "ETag",
                etag,
                "Cache-Control",
                "no-cache",
                HeaderNames.VERSION,
                "7",
                HeaderNames.GENERATION,
                "g");
        return new Reply(200, headers, file, file.remaining());
    }
}
