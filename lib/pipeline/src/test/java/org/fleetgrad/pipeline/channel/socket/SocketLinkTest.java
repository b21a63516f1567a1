package org.fleetgrad.pipeline.channel.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.pipeline.channel.NeighbourFailedException;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SocketLinkTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Border BORDER = Border.after(1, List.of(3), 2);
    private static final int FRAME = 0;

    private final RunToken token = RunToken.draw();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> refused = Collections.synchronizedList(new ArrayList<>());
    private BorderListener listener;

    @BeforeEach
    void listen() throws IOException {
        listener = BorderListener.open(InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void end() throws IOException {
        listener.close();
        threads.shutdownNow();
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port());
    }

    private Future<SocketLink> accepting(int capacity) {
        return inBackground(() -> listener.accept(token, BORDER, capacity, LIMIT, refused::add));
    }

    private <T> Future<T> inBackground(Callable<T> call) {
        return threads.submit(call);
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    private static Frame frame(long microBatch) {
        return Frame.activation(microBatch, new float[] {microBatch, 1, 2, 3, 4, 5}, 2, 3);
    }

    @Test
    void shouldCarryFramesBothWaysInTheirOrder() throws Exception {
        Future<SocketLink> accepted = accepting(2);
        try (SocketLink before = SocketLink.connect(address(), token, BORDER, 2, LIMIT);
                SocketLink after = get(accepted)) {
            for (int i = 0; i < 20; i++) {
                before.send(frame(i));
                after.send(Frame.gradient(i, frame(i).toArray(), 2, 3));
                Frame forward = after.receive();
                assertThat(forward.microBatch()).isEqualTo(i);
                assertThat(forward.toArray()).startsWith((float) i);
                assertThat(before.receive().microBatch()).isEqualTo(i);
            }
        }
    }

    /** Backpressure: when the queues of both ends and the system's buffers are full, the sender waits for the slow stage. */
    @Test
    void shouldHoldASenderUpWhileTheOtherStageIsSlow() throws Exception {
        Border large = Border.after(1, List.of(1 << 18), 1);
        Future<SocketLink> accepted = inBackground(() -> listener.accept(token, large, 1, LIMIT, refused::add));
        try (SocketLink before = SocketLink.connect(address(), token, large, 1, LIMIT);
                SocketLink after = get(accepted)) {
            int frames = 40;
            List<Integer> progress = Collections.synchronizedList(new ArrayList<>());
            Future<Integer> sender = inBackground(() -> {
                for (int i = 0; i < frames; i++) {
                    before.send(Frame.activation(i, new float[1 << 18], 1, 1 << 18));
                    progress.add(i);
                }
                return frames;
            });

            for (int i = 0; i < frames; i++) {
                // 40 MB fit into no buffer: what was sent is never far ahead of what was received.
                assertThat(progress.size()).isLessThan(i + 30);
                assertThat(after.receive().microBatch()).isEqualTo(i);
            }
            assertThat(get(sender)).isEqualTo(frames);
        }
    }

    @Test
    void shouldGiveTheReasonOfAFailureToTheOtherStage() throws Exception {
        Future<SocketLink> accepted = accepting(2);
        try (SocketLink before = SocketLink.connect(address(), token, BORDER, 2, LIMIT);
                SocketLink after = get(accepted)) {
            before.send(frame(0));
            before.fail(new IllegalStateException("the loss is NaN"));

            assertThatThrownBy(() -> {
                        after.receive();
                        after.receive();
                    })
                    .isInstanceOf(NeighbourFailedException.class)
                    .hasStackTraceContaining("the loss is NaN");
            assertThatThrownBy(() -> before.send(frame(1))).isInstanceOf(NeighbourFailedException.class);
        }
    }

    @Test
    void shouldDeliverWhatWasSentBeforeTheSenderClosed() throws Exception {
        Future<SocketLink> accepted = accepting(4);
        try (SocketLink before = SocketLink.connect(address(), token, BORDER, 4, LIMIT);
                SocketLink after = get(accepted)) {
            before.send(frame(0));
            before.send(frame(1));
            before.finish();

            assertThat(after.receive().microBatch()).isZero();
            assertThat(after.receive().microBatch()).isEqualTo(1);
            assertThatThrownBy(() -> after.receive()).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void shouldTellASenderThatNobodyReceivesAnyMore() throws Exception {
        Future<SocketLink> accepted = accepting(1);
        try (SocketLink before = SocketLink.connect(address(), token, BORDER, 1, LIMIT);
                SocketLink after = get(accepted)) {
            after.finish();

            assertThatThrownBy(() -> {
                        while (true) {
                            before.send(frame(0));
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NeighbourFailedException.class)
                    .hasMessageContaining("is closed");
        }
    }

    /** A killed neighbour: its connection ends in the middle of a frame. */
    @Test
    void shouldFailWhenTheNeighbourDiesInTheMiddleOfAFrame() throws Exception {
        Future<SocketLink> accepted = accepting(2);
        try (Socket raw = handshaken()) {
            try (SocketLink link = get(accepted)) {
                DataOutputStream out = new DataOutputStream(raw.getOutputStream());
                byte[] bytes = bytes(frame(0));
                out.writeByte(FRAME);
                out.writeInt(bytes.length);
                out.write(bytes, 0, bytes.length / 2);
                out.flush();
                raw.shutdownOutput();

                assertThatThrownBy(() -> link.receive())
                        .isInstanceOf(NeighbourFailedException.class)
                        .hasMessageContaining(
                                "the connection ended in the middle of a message of %d bytes".formatted(bytes.length));
                assertThatThrownBy(() -> {
                            for (int i = 0; i < 100; i++) {
                                link.send(frame(i));
                            }
                        })
                        .isInstanceOf(NeighbourFailedException.class);
            }
        }
    }

    private static byte[] bytes(Frame frame) throws IOException {
        return FrameCodecPropertyTest.encoded(new FrameCodec(BORDER), frame).array();
    }

    @Test
    void shouldFailWhenTheNeighbourDiesBetweenTwoFrames() throws Exception {
        Future<SocketLink> accepted = accepting(2);
        try (Socket raw = handshaken()) {
            try (SocketLink link = get(accepted)) {
                raw.shutdownOutput();

                assertThatThrownBy(() -> link.receive())
                        .isInstanceOf(NeighbourFailedException.class)
                        .hasMessageContaining("ended without a farewell");
            }
        }
    }

    @Test
    void shouldRefuseAFrameOfNineHundredMegabytesBeforeItIsSent() throws Exception {
        Future<SocketLink> accepted = accepting(2);
        try (Socket raw = handshaken()) {
            try (SocketLink link = get(accepted)) {
                DataOutputStream out = new DataOutputStream(raw.getOutputStream());
                out.writeByte(FRAME);
                out.writeInt(900_000_000);
                out.flush();

                assertThatThrownBy(() -> link.receive())
                        .isInstanceOf(NeighbourFailedException.class)
                        .hasMessageContaining("announces 900000000 bytes, accepted are " + BORDER.frameBytes());
            }
        }
    }

    @Test
    void shouldRefuseGarbageInsteadOfAFrame() throws Exception {
        Future<SocketLink> accepted = accepting(2);
        try (Socket raw = handshaken()) {
            try (SocketLink link = get(accepted)) {
                raw.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

                assertThatThrownBy(() -> link.receive())
                        .isInstanceOf(NeighbourFailedException.class)
                        .hasMessageContaining("is of kind 71; there are 0 to 3");
            }
        }
    }

    /** An untrusted client, another run, another border: refused, and the neighbour is still accepted. */
    @Test
    void shouldLetNobodyInButTheStageBeforeOfThisRun() throws Exception {
        Future<SocketLink> accepted = accepting(2);
        try (Socket stranger = new Socket()) {
            stranger.connect(address());
            stranger.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: stage\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThatThrownBy(() -> SocketLink.connect(address(), RunToken.draw(), BORDER, 2, LIMIT))
                    .isInstanceOf(IOException.class);
        }
        Border other = Border.after(1, List.of(4), 2);
        assertThatThrownBy(() -> SocketLink.connect(address(), token, other, 2, LIMIT))
                .isInstanceOf(IOException.class);
        assertThat(accepted.isDone()).isFalse();

        try (SocketLink before = SocketLink.connect(address(), token, BORDER, 2, LIMIT);
                SocketLink after = get(accepted)) {
            before.send(frame(5));
            assertThat(after.receive().microBatch()).isEqualTo(5);
        }
        assertThat(refused).hasSize(3);
        assertThat(refused)
                .anyMatch(why -> why.contains("does not begin like a program of a pipeline"))
                .anyMatch(why -> why.contains("does not know the run's token"))
                .anyMatch(why -> why.contains("[4]") && why.contains("[3]"));
    }

    @Test
    void shouldNotWaitForEverForTheStageBefore() {
        assertThatThrownBy(() -> listener.accept(token, BORDER, 2, Duration.ofMillis(50), refused::add))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not connect within PT0.05S")
                .hasMessageContaining("stage 1 to 2: up to 2 samples of [3]");
    }

    @Test
    void shouldNotWaitForEverForAnAnswer() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = new InetSocketAddress(silent.getInetAddress(), silent.getLocalPort());

            assertThatThrownBy(() -> SocketLink.connect(address, token, BORDER, 2, Duration.ofMillis(50)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("does not answer");
        }
    }

    @Test
    void shouldRefuseAFrameOfAnotherShapeBeforeItLeaves() throws Exception {
        Future<SocketLink> accepted = accepting(2);
        try (SocketLink before = SocketLink.connect(address(), token, BORDER, 2, LIMIT);
                SocketLink after = get(accepted)) {
            before.send(Frame.activation(0, new float[12], 4, 3));

            assertThatThrownBy(() -> after.receive())
                    .isInstanceOf(NeighbourFailedException.class)
                    .hasMessageContaining("a frame of shape [4, 3] does not belong on the border");
        }
    }

    /** Both ends of a tie know the tensor: another shape is no border of theirs, and a longer message is refused unread. */
    @Test
    void shouldRefuseALieAboutATiedTensor() throws Exception {
        Border tied = Border.tied(TensorSpec.f32("wte.weight", 5, 2), 3);
        assertThat(tied.text()).isEqualTo("wte.weight of stage 0 and 3: up to 1 samples of [5, 2]");
        Future<SocketLink> accepted = inBackground(() -> listener.accept(token, tied, 4, LIMIT, refused::add));
        Border larger = Border.tied(TensorSpec.f32("wte.weight", 6, 2), 3);
        assertThatThrownBy(() -> SocketLink.connect(address(), token, larger, 4, LIMIT))
                .isInstanceOf(IOException.class);

        try (Socket liar = new Socket()) {
            liar.connect(address());
            new Handshake(token, LIMIT).call(liar, tied.text());
            try (SocketLink last = get(accepted)) {
                ByteBuffer lie = ByteBuffer.allocate(5).put((byte) 0).putInt(Integer.MAX_VALUE);
                liar.getOutputStream().write(lie.array());

                assertThatThrownBy(last::receive)
                        .isInstanceOf(NeighbourFailedException.class)
                        .hasMessageContaining("wte.weight of stage 0 and 3")
                        .hasMessageContaining("announces 2147483647 bytes, accepted are %d", 1024 + 40);
            }
        }
        assertThat(refused)
                .singleElement()
                .asString()
                .contains("the caller has the border 'wte.weight of stage 0 and 3: up to 1 samples of [6, 2]'")
                .contains("this stage 'wte.weight of stage 0 and 3: up to 1 samples of [5, 2]'");
    }

    /** A connection whose other end sends bytes chosen by the test. */
    private Socket handshaken() throws IOException {
        Socket socket = new Socket();
        socket.connect(address());
        new Handshake(token, LIMIT).call(socket, BORDER.text());
        return socket;
    }
}
