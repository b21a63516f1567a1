package org.fleetgrad.inference.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import org.fleetgrad.inference.body.BodyMemory;
import org.fleetgrad.openinference.GRPCInferenceServiceGrpc;
import org.fleetgrad.openinference.GRPCInferenceServiceGrpc.GRPCInferenceServiceFutureStub;
import org.fleetgrad.openinference.InferTensorContents;
import org.fleetgrad.openinference.ModelInferRequest;
import org.fleetgrad.openinference.ModelInferRequest.InferInputTensor;
import org.fleetgrad.openinference.ModelInferResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the messages of calls take, from their first piece until nobody holds them. */
class GrpcMessageMemoryTest {

    private static final Duration AWAITED = ServerWithoutModel.AWAITED;
    private static final int WINDOW = 65_535;

    private final ServerWithoutModel port = new ServerWithoutModel();
    private final GrpcServer server = port.server();
    private final GrpcCalls calls = port.calls();
    private final BodyMemory memory = port.memory();

    @BeforeAll
    static void quiet() {
        ServerWithoutModel.quiet();
    }

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        port.close();
    }

    private static ManagedChannel channel(GrpcServer of) {
        return NettyChannelBuilder.forAddress("127.0.0.1", of.port())
                .usePlaintext()
                .build();
    }

    private static ModelInferRequest raw(String id, int bytes) {
        return ModelInferRequest.newBuilder()
                .setId(id)
                .addRawInputContents(ByteString.copyFrom(new byte[bytes]))
                .build();
    }

    /** They wait for each other's answers, so that all are under way at a time; their largest messages would not fit. */
    @Test
    void shouldAnswerSmallCallsOf16ClientsAtATime() throws Exception {
        ManagedChannel channel = channel(server);
        try {
            GRPCInferenceServiceFutureStub client = GRPCInferenceServiceGrpc.newFutureStub(channel);
            List<Future<ModelInferResponse>> answers = new ArrayList<>();
            for (int i = 0; i < ServerWithoutModel.CALLS; i++) {
                answers.add(client.modelInfer(raw("wait", 60_000)));
            }
            await().atMost(AWAITED).until(() -> calls.size() == ServerWithoutModel.CALLS);
            port.release();
            for (Future<ModelInferResponse> answer : answers) {
                assertThat(answer.get().getRawOutputContentsCount()).isEqualTo(1);
            }
        } finally {
            channel.shutdownNow();
        }
        await().atMost(AWAITED).until(() -> calls.size() == 0 && memory.reserved() == 0);
    }

    @Test
    void shouldRefuseWithTheNumbersOnceTheBytesAreUsedUpAndAnswerSmallCallsMeanwhile() throws Exception {
        ManagedChannel channel = channel(server);
        try {
            GRPCInferenceServiceFutureStub client = GRPCInferenceServiceGrpc.newFutureStub(channel);
            Future<ModelInferResponse> first = client.modelInfer(raw("wait", 1_000_000));
            await().atMost(AWAITED).until(() -> memory.reserved() > 900_000);

            for (String compression : new String[] {"identity", "gzip"}) {
                assertThatThrownBy(() -> GRPCInferenceServiceGrpc.newBlockingStub(channel)
                                .withCompression(compression)
                                .modelInfer(raw("0", 1_000_000)))
                        .as(compression)
                        .hasMessageContaining("RESOURCE_EXHAUSTED: the bodies of other requests take ")
                        .hasMessageContaining("together they may take 1500000 (inference.body-memory)");
            }
            assertThat(client.modelInfer(raw("7", 50_000))
                            .get()
                            .getRawOutputContents(0)
                            .size())
                    .isEqualTo(7);
            assertThat(GRPCInferenceServiceGrpc.newBlockingStub(channel)
                            .withCompression("gzip")
                            .modelInfer(raw("8", 100_000))
                            .getRawOutputContents(0)
                            .size())
                    .isEqualTo(8);
            assertThat(first.cancel(true)).isTrue();
            port.release();
            await().atMost(AWAITED).until(() -> calls.size() == 0 && memory.reserved() == 0);

            ModelInferRequest typed = ModelInferRequest.newBuilder()
                    .addInputs(InferInputTensor.newBuilder()
                            .setContents(InferTensorContents.newBuilder()
                                    .addAllUintContents(Collections.nCopies(300_000, 1))))
                    .build();
            assertThatThrownBy(() ->
                            GRPCInferenceServiceGrpc.newBlockingStub(channel).modelInfer(typed))
                    .hasMessageContaining("INVALID_ARGUMENT: reading the body takes 26")
                    .hasMessageContaining("may take 1500000 together (inference.body-memory)");
        } finally {
            channel.shutdownNow();
        }
        await().atMost(AWAITED).until(() -> calls.size() == 0 && memory.reserved() == 0);
    }

    /** Returns a client that may send as much as the server's window allows: it has answered the server's settings. */
    private RawStreams client() throws Exception {
        RawStreams client = new RawStreams(server.port(), WINDOW);
        client.call(1, "ServerLive");
        assertThat(client.end(1)).isEqualTo("0 null");
        return client;
    }

    @Test
    void shouldReserveForACallThatStallsWhatHasArrivedUntilItIsReset() throws Exception {
        try (RawStreams client = client()) {
            client.call(3, "ModelInfer");
            client.message(3, ServerWithoutModel.LARGEST, new byte[9], false);
            client.call(5, "ModelInfer");
            client.message(5, ServerWithoutModel.LARGEST, new byte[16_000], false);
            for (int i = 0; i < 5; i++) {
                client.frame(RawStreams.DATA, 0, 5, new byte[16_000]);
            }
            // Pieces that come before the message is asked for are one.
            long arrived = 6 * 16_000 - BodyMemory.FREE_BYTES;
            await().atMost(AWAITED).until(() -> memory.reserved() > arrived);
            assertThat(memory.reserved()).isLessThanOrEqualTo(arrived + 6 * Arrival.PIECE);

            client.frame(RawStreams.RESET, 0, 5, new byte[4]);
            await().atMost(AWAITED).until(() -> calls.size() == 1 && memory.reserved() == 0);
        }
        await().atMost(AWAITED).until(() -> calls.size() == 0);
    }

    /** Each is an object of a hundred bytes until the message is whole. */
    @Test
    void shouldCountWhatPiecesOfOneByteTakeBesideIt() throws Exception {
        try (RawStreams client = client()) {
            client.call(3, "ModelInfer");
            client.message(3, ServerWithoutModel.LARGEST, new byte[16_000], false);
            for (int i = 0; i < 4; i++) {
                client.frame(RawStreams.DATA, 0, 3, new byte[16_000]);
            }
            await().atMost(AWAITED).until(() -> memory.reserved() > 5 * 16_000 - BodyMemory.FREE_BYTES);
            long before = memory.reserved();
            for (int i = 0; i < 1_000; i++) {
                client.frame(RawStreams.DATA, 0, 3, new byte[1]);
            }
            await().atMost(AWAITED).until(() -> memory.reserved() == before + 1_000 * (1 + Arrival.PIECE));
        }
        await().atMost(AWAITED).until(() -> memory.reserved() == 0);
    }
}
