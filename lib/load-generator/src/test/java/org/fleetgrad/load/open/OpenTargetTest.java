package org.fleetgrad.load.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.load.LoadClock;
import org.fleetgrad.load.LoadProtocol;
import org.fleetgrad.load.LoadRun;
import org.fleetgrad.load.LoadSettings;
import org.fleetgrad.load.LoadTarget;
import org.fleetgrad.load.open.OpenTarget.Opened;
import org.fleetgrad.load.question.BodyFormat;
import org.fleetgrad.load.question.LoadRequests;
import org.fleetgrad.load.result.LoadFigures;
import org.fleetgrad.openinference.GRPCInferenceServiceGrpc.GRPCInferenceServiceImplBase;
import org.fleetgrad.openinference.ModelInferRequest;
import org.fleetgrad.openinference.ModelInferResponse;
import org.fleetgrad.openinference.ModelMetadataRequest;
import org.fleetgrad.openinference.ModelMetadataResponse;
import org.fleetgrad.openinference.ModelMetadataResponse.TensorMetadata;
import org.junit.jupiter.api.Test;

/** Peers that have nothing of Fleetgrad's own: a model that says the class of an image is the value of its pixel. */
class OpenTargetTest {

    private static final ImageSamples SAMPLES =
            new ImageSamples(1, 1, 1, new byte[] {0, 1, 2, 3}, new byte[] {0, 1, 2, 9});
    private static final int BATCH = 2;

    private final LoadRequests requests = new LoadRequests(SAMPLES, BATCH, BodyFormat.JSON, 1);

    private static LoadTarget target(int port) {
        return LoadTarget.of(List.of("http://127.0.0.1:" + port), Duration.ofSeconds(20), "");
    }

    private LoadFigures load(Opened opened) throws Exception {
        LoadSettings settings = LoadSettings.of(2, 20, OptionalDouble.empty());
        try (LoadRun run =
                new LoadRun(settings, opened.questions(), opened.clients(), LoadClock.SYSTEM, 0, row -> {})) {
            run.connect();
            run.run(watched -> {});
            assertThat(run.connections()).isEqualTo(2);
            return run.result().all();
        }
    }

    private static void assertMeasured(LoadFigures figures) {
        assertThat(figures.failures()).isEmpty();
        assertThat(figures.requests()).isEqualTo(20);
        assertThat(figures.accuracy()).hasValue(0.75);
    }

    /** Scores of ten classes for each pixel, of which its own is the largest. */
    private static byte[] scores(ByteBuffer pixels) {
        ByteBuffer scores = ByteBuffer.allocate(pixels.remaining() / Float.BYTES * 10 * Float.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer values = pixels.order(ByteOrder.LITTLE_ENDIAN);
        while (values.hasRemaining()) {
            int pixel = (int) values.getFloat();
            for (int i = 0; i < 10; i++) {
                scores.putFloat(i == pixel ? 5 : -i);
            }
        }
        return scores.array();
    }

    /** The protocol over gRPC. */
    private static final class Peer extends GRPCInferenceServiceImplBase {
        private final AtomicReference<Status> refusal = new AtomicReference<>();

        @Override
        public void modelMetadata(ModelMetadataRequest request, StreamObserver<ModelMetadataResponse> answer) {
            if (!request.getName().equals("digits")) {
                answer.onError(Status.NOT_FOUND.withDescription("unknown model").asRuntimeException());
                return;
            }
            answer.onNext(ModelMetadataResponse.newBuilder()
                    .setName("digits")
                    .addInputs(tensor("pixels").addShape(-1).addShape(1))
                    .addOutputs(tensor("scores").addShape(-1).addShape(10))
                    .build());
            answer.onCompleted();
        }

        private static TensorMetadata.Builder tensor(String name) {
            return TensorMetadata.newBuilder().setName(name).setDatatype("FP32");
        }

        @Override
        public void modelInfer(ModelInferRequest request, StreamObserver<ModelInferResponse> answer) {
            Status refused = refusal.get();
            if (refused != null) {
                answer.onError(refused.asRuntimeException());
                return;
            }
            assertThat(request.getInputs(0).getName()).isEqualTo("pixels");
            assertThat(request.getInputs(0).getShapeList()).containsExactly(2L, 1L);
            answer.onNext(ModelInferResponse.newBuilder()
                    .setModelVersion("1")
                    .addRawOutputContents(ByteString.copyFrom(scores(
                            ByteBuffer.wrap(request.getRawInputContents(0).toByteArray()))))
                    .build());
            answer.onCompleted();
        }
    }

    private static Server start(Peer peer) throws IOException {
        return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(peer)
                .build()
                .start();
    }

    @Test
    void shouldMeasureAPeerOverGrpc() throws Exception {
        Server server = start(new Peer());
        try {
            assertMeasured(load(target(server.getPort()).open(LoadProtocol.GRPC, requests, "digits")));
        } finally {
            server.shutdownNow();
        }
    }

    @Test
    void shouldCountRefusalsOfAPeerByTheirStatus() throws Exception {
        Peer peer = new Peer();
        Server server = start(peer);
        try {
            Opened opened = target(server.getPort()).open(LoadProtocol.GRPC, requests, "digits");
            peer.refusal.set(Status.RESOURCE_EXHAUSTED.withDescription("queue of 7"));
            assertThat(load(opened).failures()).containsOnlyKeys("status RESOURCE_EXHAUSTED");

            assertThatThrownBy(() -> target(server.getPort()).open(LoadProtocol.GRPC, requests, "other"))
                    .hasMessage("status NOT_FOUND (unknown model)");
        } finally {
            server.shutdownNow();
        }
    }

    @Test
    void shouldMeasureAPeerOverRest() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v2/models/digits", OpenTargetTest::answer);
        server.start();
        try {
            assertMeasured(load(target(server.getAddress().getPort()).open(LoadProtocol.V2, requests, "digits")));
            assertThatThrownBy(() -> target(server.getAddress().getPort()).open(LoadProtocol.V2, requests, "other"))
                    .hasMessageEndingWith("/v2/models/other with 404");
        } finally {
            server.stop(0);
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        byte[] reply;
        if (exchange.getRequestURI().getPath().endsWith("/infer")) {
            int head = Integer.parseInt(exchange.getRequestHeaders().getFirst("Inference-Header-Content-Length"));
            byte[] scores =
                    scores(ByteBuffer.wrap(body, head, body.length - head).slice());
            byte[] json = ("{\"model_name\":\"digits\",\"model_version\":\"1\",\"outputs\":[{\"name\":\"scores\","
                            + "\"datatype\":\"FP32\",\"shape\":[2,10],\"parameters\":{\"binary_data_size\":%d}}]}")
                    .formatted(scores.length)
                    .getBytes(StandardCharsets.US_ASCII);
            reply = Arrays.copyOf(json, json.length + scores.length);
            System.arraycopy(scores, 0, reply, json.length, scores.length);
        } else {
            reply = ("{\"name\":\"digits\",\"inputs\":[{\"name\":\"pixels\",\"datatype\":\"FP32\",\"shape\":[-1,1]}],"
                            + "\"outputs\":[{\"name\":\"scores\",\"datatype\":\"FP32\",\"shape\":[-1,10]}]}")
                    .getBytes(StandardCharsets.US_ASCII);
        }
        exchange.sendResponseHeaders(200, reply.length);
        exchange.getResponseBody().write(reply);
        exchange.close();
    }
}
