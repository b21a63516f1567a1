package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.data.Offset;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.inference.grpc.GrpcServer;
import org.fleetgrad.openinference.GRPCInferenceServiceGrpc;
import org.fleetgrad.openinference.GRPCInferenceServiceGrpc.GRPCInferenceServiceBlockingStub;
import org.fleetgrad.openinference.ModelInferRequest;
import org.fleetgrad.openinference.ModelInferRequest.InferInputTensor;
import org.fleetgrad.openinference.ModelInferResponse;
import org.fleetgrad.openinference.ModelMetadataRequest;
import org.fleetgrad.openinference.ModelReadyRequest;
import org.fleetgrad.openinference.ModelStatisticsRequest;
import org.fleetgrad.openinference.RepositoryIndexRequest;
import org.fleetgrad.openinference.ServerLiveRequest;
import org.fleetgrad.openinference.ServerMetadataRequest;
import org.fleetgrad.openinference.ServerReadyRequest;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The Open Inference Protocol over gRPC: the answers of REST, in the messages of the protocol. */
class GrpcInferenceTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ParameterVersion VERSION = new ParameterVersion("g", 1);
    private static final int[] PIXELS = LeNet.image(1);

    private static FakeParameterServer server;
    private static RunningService service;
    private static ManagedChannel channel;
    private static GRPCInferenceServiceBlockingStub client;

    @BeforeAll
    static void start() throws IOException {
        server = new FakeParameterServer(0);
        service = RunningService.start("inference.server=" + server.uri(), "inference.grpc-port=0");
        server.publish(VERSION, LeNet.set(VERSION, Map.of()));
        LiveModel model = service.context().getBean(LiveModel.class);
        await().atMost(PATIENCE).until(() -> model.version().isPresent());
        channel = channel(service);
        client = GRPCInferenceServiceGrpc.newBlockingStub(channel);
    }

    private static ManagedChannel channel(RunningService of) {
        return NettyChannelBuilder.forAddress(
                        "127.0.0.1", of.context().getBean(GrpcServer.class).port())
                .usePlaintext()
                .build();
    }

    @AfterAll
    static void stop() throws InterruptedException {
        channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        service.close();
        server.close();
    }

    private static ByteString bytes(int... pixels) {
        ByteBuffer bytes = ByteBuffer.allocate(pixels.length);
        for (int pixel : pixels) {
            bytes.put((byte) pixel);
        }
        return ByteString.copyFrom(bytes.flip());
    }

    private static ModelInferRequest.Builder raw() {
        return ModelInferRequest.newBuilder()
                .setModelName("fleetgrad")
                .setId("7")
                .addInputs(input("UINT8"))
                .addRawInputContents(bytes(PIXELS));
    }

    private static InferInputTensor.Builder input(String datatype) {
        return InferInputTensor.newBuilder()
                .setName("input")
                .setDatatype(datatype)
                .addAllShape(List.of(1L, 1L, 28L, 28L));
    }

    private static List<Float> floats(ByteString bytes) {
        List<Float> values = new ArrayList<>();
        ByteBuffer data = bytes.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        while (data.hasRemaining()) {
            values.add(data.getFloat());
        }
        return values;
    }

    @Test
    void shouldAnswerAsRest() {
        ModelInferResponse answer = client.modelInfer(raw().build());

        JsonNode rest = JsonMapper.shared()
                .readTree(OpenApiContract.load()
                        .send(service.postJson(
                                "/v2/models/fleetgrad/infer",
                                "{\"inputs\":[{\"name\":\"input\",\"datatype\":\"UINT8\",\"shape\":[1,1,28,28],\"data\":%s}]}"
                                        .formatted(LeNet.json(PIXELS))))
                        .body());
        assertThat(answer.getModelName()).isEqualTo("fleetgrad");
        assertThat(answer.getModelVersion())
                .isEqualTo(rest.get("model_version").asString())
                .isEqualTo("g-1");
        assertThat(answer.getId()).isEqualTo("7");
        assertThat(answer.getParametersMap().keySet())
                .containsExactlyInAnyOrderElementsOf(rest.get("parameters").propertyNames());
        assertThat(answer.getParametersOrThrow("generation").getStringParam()).isEqualTo("g");
        assertThat(answer.getParametersOrThrow("version").getInt64Param()).isEqualTo(1);
        assertThat(answer.getParametersOrThrow("answer").getStringParam())
                .hasSameSizeAs(rest.get("parameters").get("answer").asString());
        for (int i = 0; i < 2; i++) {
            JsonNode output = rest.get("outputs").get(i);
            assertThat(answer.getOutputs(i).getName())
                    .isEqualTo(output.get("name").asString());
            assertThat(answer.getOutputs(i).getDatatype()).isEqualTo("FP32");
            assertThat(answer.getOutputs(i).getShapeList()).containsExactly(1L, 10L);
            List<Float> values = floats(answer.getRawOutputContents(i));
            for (int j = 0; j < 10; j++) {
                assertThat(values.get(j)).isCloseTo(output.get("data").get(j).floatValue(), Offset.offset(1e-5f));
            }
        }
    }

    @Test
    void shouldTakeTypedContentsAndAnswerInThem() {
        List<Float> expected = floats(client.modelInfer(raw().build()).getRawOutputContents(0));
        InferInputTensor.Builder whole = input("UINT8");
        InferInputTensor.Builder wide = input("FP32");
        for (int pixel : PIXELS) {
            whole.getContentsBuilder().addUintContents(pixel);
            wide.getContentsBuilder().addFp32Contents(pixel);
        }
        for (InferInputTensor.Builder input : List.of(whole, wide)) {
            ModelInferResponse answer = client.modelInfer(ModelInferRequest.newBuilder()
                    .setModelName("fleetgrad")
                    .setModelVersion("1")
                    .addInputs(input)
                    .addOutputs(ModelInferRequest.InferRequestedOutputTensor.newBuilder()
                            .setName("logits"))
                    .build());

            assertThat(answer.getOutputsCount()).isEqualTo(1);
            assertThat(answer.getRawOutputContentsCount()).isZero();
            List<Float> logits = answer.getOutputs(0).getContents().getFp32ContentsList();
            for (int i = 0; i < expected.size(); i++) {
                assertThat(logits.get(i)).isCloseTo(expected.get(i), Offset.offset(1e-5f));
            }
        }
    }

    @Test
    void shouldDescribeItself() {
        assertThat(client.serverLive(ServerLiveRequest.getDefaultInstance()).getLive())
                .isTrue();
        assertThat(client.serverReady(ServerReadyRequest.getDefaultInstance()).getReady())
                .isTrue();
        assertThat(client.serverMetadata(ServerMetadataRequest.getDefaultInstance())
                        .getName())
                .isEqualTo("fleetgrad");
        assertThat(isReady("fleetgrad", "")).isTrue();
        assertThat(isReady("fleetgrad", "g-1")).isTrue();
        assertThat(isReady("fleetgrad", "2")).isFalse();
        assertThat(isReady("other", "")).isFalse();
        var metadata = client.modelMetadata(
                ModelMetadataRequest.newBuilder().setName("fleetgrad").build());
        assertThat(metadata.getVersionsList()).containsExactly("g-1");
        assertThat(metadata.getInputs(0).getShapeList()).containsExactly(-1L, 1L, 28L, 28L);
        assertThat(metadata.getOutputs(0).getName()).isEqualTo("logits");
        assertThat(client.repositoryIndex(RepositoryIndexRequest.getDefaultInstance())
                        .getModels(0)
                        .getVersion())
                .isEqualTo("g-1");
        client.modelInfer(raw().build());
        var statistics = client.modelStatistics(
                        ModelStatisticsRequest.newBuilder().setName("fleetgrad").build())
                .getModelStats(0);
        assertThat(statistics.getInferenceCount()).isPositive();
        assertThat(statistics.getInferenceStats().getSuccess().getNs()).isPositive();
        assertThat(statistics.getBatchStatsCount()).isPositive();
    }

    private static boolean isReady(String model, String version) {
        return client.modelReady(ModelReadyRequest.newBuilder()
                        .setName(model)
                        .setVersion(version)
                        .build())
                .getReady();
    }

    @Test
    void shouldRefuseWithTheTensorTheRuleAndTheNumbers() {
        refused("the request has 0 inputs; it must have 1 or more", request -> request.clearInputs());
        refused("the request has 2 raw_input_contents for 1 inputs", request -> request.addRawInputContents(bytes(1)));
        refused(
                "the tensor 'input' of the shape [1, 1, 28, 28] takes 784 bytes as UINT8, given were 783",
                request -> request.setRawInputContents(0, bytes(PIXELS).substring(1)));
        refused(
                "the input 'input' has contents beside raw_input_contents of 784 bytes",
                request -> request.getInputsBuilder(0).getContentsBuilder().addUintContents(1));
        refused(
                "the datatype of the input 'input' is FP32 or UINT8; it is 'FP17'",
                request -> request.getInputsBuilder(0).setDatatype("FP17"));
        refused(
                "there is no input 'x'; the input is 'input'",
                request -> request.getInputsBuilder(0).setName("x"));
        refused(
                "the input 'input' of the shape [1, 1, 28, 28] has 784 values, its data has 0",
                request -> request.clearRawInputContents());
        refused(
                "there is no output 'y'; the outputs are [logits, probabilities]",
                request -> request.addOutputsBuilder().setName("y"));
        refused(
                "the extension 'classification' is not served",
                request -> request.addOutputsBuilder().setName("logits").putParameters("classification", number(3)));
        refused(
                "the input 'input' is in shared memory, which is not served: send its bytes",
                request -> request.clearRawInputContents()
                        .getInputsBuilder(0)
                        .putParameters("shared_memory_region", number(3)));
        refused("a version is a number such as 12", request -> request.setModelVersion("x"));
    }

    private static org.fleetgrad.openinference.InferParameter number(long value) {
        return org.fleetgrad.openinference.InferParameter.newBuilder()
                .setInt64Param(value)
                .build();
    }

    @Test
    void shouldRefuseShapesThatNoTensorHas() {
        for (List<Long> shape : List.of(
                List.<Long>of(),
                List.of(0L, 1L, 28L, 28L),
                List.of(-1L, 1L, 28L, 28L),
                List.of(1L, -1L, -28L, 28L),
                List.of(Long.MIN_VALUE, 1L, 28L, 28L),
                List.of(1L, 1L, 28L, Long.MAX_VALUE),
                List.of(1L, 784L))) {
            refused(
                    "the tensor 'input' has the shape %s, the network takes [count, 1, 28, 28] with a count of 1 or more"
                            .formatted(shape),
                    request -> request.getInputsBuilder(0).clearShape().addAllShape(shape));
        }
        refused(
                "the request has 9223372036854775807 images, the limit is 2048",
                request -> request.getInputsBuilder(0).setShape(0, Long.MAX_VALUE));
    }

    private static void refused(String message, Consumer<ModelInferRequest.Builder> change) {
        ModelInferRequest.Builder request = raw();
        change.accept(request);
        refused(client, request.build(), Status.Code.INVALID_ARGUMENT, message);
    }

    private static void refused(
            GRPCInferenceServiceBlockingStub of, ModelInferRequest request, Status.Code code, String message) {
        assertThatThrownBy(() -> of.modelInfer(request))
                .isInstanceOfSatisfying(StatusRuntimeException.class, failure -> {
                    assertThat(failure.getStatus().getDescription()).startsWith(message);
                    assertThat(failure.getStatus().getCode()).isEqualTo(code);
                });
    }

    @Test
    void shouldSayWhatIsNotThere() {
        refused(
                client,
                raw().setModelName("other").build(),
                Status.Code.NOT_FOUND,
                "there is no model 'other'; the model is 'fleetgrad'");
        refused(
                client,
                raw().setModelVersion("9").build(),
                Status.Code.NOT_FOUND,
                "the version 9 is not held; held are [g-1]");
    }

    @Test
    void shouldBeUnavailableWithoutAModelAndOffByDefault() throws Exception {
        try (RunningService waiting =
                RunningService.start("inference.server=http://127.0.0.1:1", "inference.grpc-port=0")) {
            ManagedChannel other = channel(waiting);
            try {
                GRPCInferenceServiceBlockingStub stub = GRPCInferenceServiceGrpc.newBlockingStub(other);
                assertThat(stub.serverReady(ServerReadyRequest.getDefaultInstance())
                                .getReady())
                        .isFalse();
                refused(stub, raw().build(), Status.Code.UNAVAILABLE, "there is no model yet: ");
            } finally {
                other.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
            }
        }
        try (RunningService off = RunningService.start("inference.server=http://127.0.0.1:1")) {
            assertThat(off.context().getBeansOfType(GrpcServer.class)).isEmpty();
        }
    }
}
