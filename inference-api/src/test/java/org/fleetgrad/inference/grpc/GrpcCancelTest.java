package org.fleetgrad.inference.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.Arrays;
import org.fleetgrad.inference.body.BodyMemory;
import org.fleetgrad.openinference.ModelInferRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls whose client is gone, at each point of their life: nothing of them may stay reserved. */
class GrpcCancelTest {

    private static final int CALL = 3;

    /** The server may send so many bytes of an answer. */
    private static final int WINDOW = 100;

    private static final int MESSAGE_BYTES = 70_000;
    private static final int FRAME_BYTES = 16_000;

    private final ServerWithoutModel port = new ServerWithoutModel();
    private final GrpcCalls calls = port.calls();
    private final BodyMemory memory = port.memory();

    /** How far the call has come. */
    private enum Point {
        /** Nothing of its message was sent. */
        HEAD,
        AMID_MESSAGE,
        /** The message is whole, and another might follow. */
        AFTER_MESSAGE,
        /** A thread computes the answer, or waits for its batch. */
        COMPUTING,
        /** The client takes only the beginning of the answer. */
        ANSWERING,
        /** The compression of the message is broken. */
        BROKEN
    }

    @BeforeAll
    static void quiet() {
        ServerWithoutModel.quiet();
    }

    @BeforeEach
    void start() {
        port.server().start();
    }

    @AfterEach
    void stop() {
        port.close();
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveAllMemoryBackWhenACallIsCancelled(Point point) throws Exception {
        try (RawStreams client = come(point)) {
            client.frame(RawStreams.RESET, 0, CALL, new byte[4]);
            port.release();
            awaitNothingReserved();

            client.call(CALL + 2, "ServerLive");
            assertThat(client.end(CALL + 2)).as("the connection goes on").isEqualTo("0 null");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveAllMemoryBackWhenAConnectionEnds(Point point) throws Exception {
        come(point).end();

        port.release();
        awaitNothingReserved();
    }

    private void awaitNothingReserved() {
        await().atMost(ServerWithoutModel.AWAITED).until(() -> calls.size() == 0 && memory.reserved() == 0);
    }

    /** Returns a connection whose call has come so far. */
    private RawStreams come(Point point) throws Exception {
        RawStreams client = new RawStreams(port.server().port(), WINDOW);
        client.call(1, "ServerLive");
        assertThat(client.end(1)).isEqualTo("0 null");
        if (point == Point.BROKEN) {
            client.compressedCall(CALL, "ModelInfer");
            send(client, new byte[MESSAGE_BYTES], MESSAGE_BYTES, 1, true);
            // It ends by itself, before or after the client is gone.
            return client;
        }
        client.call(CALL, "ModelInfer");
        if (point == Point.HEAD) {
            await().atMost(ServerWithoutModel.AWAITED).until(() -> calls.size() == 1);
            return client;
        }
        byte[] message = ModelInferRequest.newBuilder()
                .setId(point == Point.ANSWERING ? "200000" : "wait")
                .addRawInputContents(ByteString.copyFrom(new byte[MESSAGE_BYTES]))
                .build()
                .toByteArray();
        boolean isLast = point == Point.COMPUTING || point == Point.ANSWERING;
        send(client, message, point == Point.AMID_MESSAGE ? message.length + 1 : message.length, 0, isLast);
        if (point == Point.ANSWERING) {
            RawStreams.Frame first = client.next();
            while (first.type() != RawStreams.DATA) {
                first = client.next();
            }
            assertThat(first.content()).hasSizeLessThanOrEqualTo(WINDOW);
            assertThat(calls.size()).isEqualTo(1);
        } else {
            await().atMost(ServerWithoutModel.AWAITED).until(() -> memory.reserved() > 0);
        }
        return client;
    }

    private static void send(RawStreams client, byte[] message, int claimed, int compressed, boolean isLast)
            throws IOException {
        byte[] head = {
            (byte) compressed, (byte) (claimed >> 24), (byte) (claimed >> 16), (byte) (claimed >> 8), (byte) claimed
        };
        client.frame(RawStreams.DATA, 0, CALL, head);
        for (int at = 0; at < message.length; at += FRAME_BYTES) {
            int end = Math.min(message.length, at + FRAME_BYTES);
            int flags = isLast && end == message.length ? RawStreams.END_STREAM : 0;
            client.frame(RawStreams.DATA, flags, CALL, Arrays.copyOfRange(message, at, end));
        }
    }
}
