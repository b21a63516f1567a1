package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.inference.grpc.GrpcServer;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.testing.OpenApiContract;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** The Open Inference Protocol, spoken by NVIDIA's own client and checked against the contract. */
@Tag("whole")
class TritonClientTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String EXPECTED = "logits as the network's own: %s";

    private static final String SCRIPT = """
            import sys
            import numpy
            import tritonclient.http as http
            from tritonclient.utils import InferenceServerException

            client = http.InferenceServerClient(sys.argv[1])
            expected = numpy.array([float(v) for v in sys.argv[2].split(",")], dtype=numpy.float32)
            pixels = numpy.array([int(v) for v in sys.argv[3].split(",")]).reshape(1, 1, 28, 28)
            assert client.is_server_live() and client.is_server_ready()
            assert client.is_model_ready("fleetgrad") and client.is_model_ready("fleetgrad", "g-2")
            assert not client.is_model_ready("fleetgrad", "99") and not client.is_model_ready("other")
            assert "binary_tensor_data" in client.get_server_metadata()["extensions"]
            metadata = client.get_model_metadata("fleetgrad")
            assert metadata["versions"] == ["g-1", "g-2"], metadata
            assert metadata["inputs"] == [{"name": "input", "datatype": "FP32", "shape": [-1, 1, 28, 28]}], metadata
            for type in (numpy.float32, numpy.uint8):
                for input_is_binary in (True, False):
                    for output_is_binary in (True, False):
                        images = numpy.concatenate([pixels, 255 - pixels]).astype(type)
                        data = http.InferInput("input", images.shape, "FP32" if type == numpy.float32 else "UINT8")
                        data.set_data_from_numpy(images, binary_data=input_is_binary)
                        outputs = [
                            http.InferRequestedOutput("probabilities", binary_data=output_is_binary),
                            http.InferRequestedOutput("logits", binary_data=True),
                        ]
                        result = client.infer("fleetgrad", [data], outputs=outputs, request_id="7")
                        logits = result.as_numpy("logits")
                        probabilities = result.as_numpy("probabilities")
                        assert logits.shape == (2, 10) and logits.dtype == numpy.float32
                        assert numpy.abs(logits[0] - expected).max() < 1e-5, logits
                        softmax = numpy.exp(logits) / numpy.exp(logits).sum(axis=1, keepdims=True)
                        assert numpy.abs(probabilities - softmax).max() < 1e-6
                        reply = result.get_response()
                        assert reply["id"] == "7" and reply["model_version"] == "g-2", reply
                        answer = reply["parameters"].pop("answer")
                        assert len(answer) >= 22, reply
                        assert reply["parameters"] == {"generation": "g", "version": 2, "accuracy": 0.75}, reply
            everything = client.infer("fleetgrad", [data], model_version="1")
            assert everything.get_response()["model_version"] == "g-1"
            assert numpy.abs(everything.as_numpy("logits")[0] - expected).max() > 1e-3
            for name, version, message in [
                ("other", "", "there is no model 'other'; the model is 'fleetgrad'"),
                ("fleetgrad", "99", "the version 99 is not held; held are [g-1, g-2]"),
            ]:
                try:
                    client.infer(name, [data], model_version=version)
                    raise SystemExit("not refused: " + name)
                except InferenceServerException as refused:
                    assert message in str(refused), refused
            before = client.get_inference_statistics("fleetgrad", "g-2")["model_stats"][0]
            pair = client.infer("fleetgrad", [data], model_version="g-2")
            after = client.get_inference_statistics("fleetgrad", "g-2")["model_stats"][0]
            assert after["inference_count"] == before["inference_count"] + 2, after
            assert after["execution_count"] == before["execution_count"] + 1, after
            taken = after["inference_stats"]
            assert taken["success"]["count"] == before["inference_stats"]["success"]["count"] + 1, taken
            assert taken["success"]["ns"] == taken["queue"]["ns"] + taken["compute_infer"]["ns"] > 0, taken
            assert sum(batch["batch_size"] * batch["compute_infer"]["count"] for batch in after["batch_stats"]) \\
                == after["inference_count"], after
            every = [each["version"] for each in client.get_inference_statistics()["model_stats"]]
            assert every[-1] == "g-2" and "g-1" in every, every
            index = client.get_model_repository_index()
            assert index == [
                {"name": "fleetgrad", "version": "g-1", "state": "READY", "reason": ""},
                {"name": "fleetgrad", "version": "g-2", "state": "READY", "reason": ""},
            ], index
            for _ in range(2000):
                client.infer("fleetgrad", [data], outputs=outputs)
            print("spoken")
            """;

    private static final String GRPC_SCRIPT = """
            import sys
            import numpy
            import tritonclient.grpc as grpc
            from tritonclient.utils import InferenceServerException

            client = grpc.InferenceServerClient(sys.argv[1])
            expected = numpy.array([float(v) for v in sys.argv[2].split(",")], dtype=numpy.float32)
            pixels = numpy.array([int(v) for v in sys.argv[3].split(",")]).reshape(1, 1, 28, 28)
            assert client.is_server_live() and client.is_server_ready()
            assert client.is_model_ready("fleetgrad") and client.is_model_ready("fleetgrad", "g-2")
            assert not client.is_model_ready("fleetgrad", "99") and not client.is_model_ready("other")
            assert client.get_server_metadata(as_json=True)["name"] == "fleetgrad"
            metadata = client.get_model_metadata("fleetgrad")
            assert list(metadata.versions) == ["g-1", "g-2"], metadata
            assert list(metadata.inputs[0].shape) == [-1, 1, 28, 28], metadata
            for type in (numpy.float32, numpy.uint8):
                images = numpy.concatenate([pixels, 255 - pixels]).astype(type)
                data = grpc.InferInput("input", images.shape, "FP32" if type == numpy.float32 else "UINT8")
                data.set_data_from_numpy(images)
                outputs = [grpc.InferRequestedOutput("probabilities"), grpc.InferRequestedOutput("logits")]
                result = client.infer("fleetgrad", [data], outputs=outputs, request_id="7")
                logits = result.as_numpy("logits")
                assert logits.shape == (2, 10) and logits.dtype == numpy.float32
                assert numpy.abs(logits[0] - expected).max() < 1e-5, logits
                softmax = numpy.exp(logits) / numpy.exp(logits).sum(axis=1, keepdims=True)
                assert numpy.abs(result.as_numpy("probabilities") - softmax).max() < 1e-6
                reply = result.get_response()
                assert reply.id == "7" and reply.model_version == "g-2", reply
                said = reply.parameters
                assert said["generation"].string_param == "g" and said["version"].int64_param == 2, reply
                assert said["accuracy"].double_param == 0.75 and len(said["answer"].string_param) >= 22, reply
            assert client.infer("fleetgrad", [data], model_version="1").get_response().model_version == "g-1"
            for name, version, status, message in [
                ("other", "", "NOT_FOUND", "there is no model 'other'; the model is 'fleetgrad'"),
                ("fleetgrad", "99", "NOT_FOUND", "the version 99 is not held; held are [g-1, g-2]"),
                ("fleetgrad", "x", "INVALID_ARGUMENT", "a version is a number such as 12"),
            ]:
                try:
                    client.infer(name, [data], model_version=version)
                    raise SystemExit("not refused: " + name)
                except InferenceServerException as refused:
                    assert message in str(refused) and status in refused.status(), refused
            stats = client.get_inference_statistics("fleetgrad", "g-2", as_json=True)["model_stats"][0]
            assert int(stats["inference_count"]) >= 4, stats
            index = client.get_model_repository_index()
            assert [(each.name, each.version, each.state) for each in index.models] == [
                ("fleetgrad", "g-1", "READY"), ("fleetgrad", "g-2", "READY")], index
            print("spoken")
            """;

    private static FakeParameterServer server;
    private static RunningService service;

    @BeforeAll
    static void start() throws IOException {
        server = new FakeParameterServer(0).heldTo(CONTRACT);
        service = RunningService.start(
                "inference.server=" + server.uri(), "inference.follow-interval=1ms", "inference.grpc-port=0");
        LiveModel model = service.context().getBean(LiveModel.class);
        for (long number = 1; number <= 2; number++) {
            ParameterVersion version = new ParameterVersion("g", number);
            server.publish(version, LeNet.set(version, Map.of()));
            await().atMost(PATIENCE).until(() -> model.versions().contains(version));
        }
        service.context()
                .getBean(HeldOutScores.class)
                .record(new ScoredVersion(new ParameterVersion("g", 2), HeldOutScore.ofAccuracy(0.75)));
    }

    @AfterAll
    static void stop() {
        service.close();
        server.close();
    }

    @Test
    void shouldSpeakWithTritonsOwnClient() {
        Python.requireTritonClient();
        speaks(SCRIPT, service.uri("").getAuthority());
    }

    @Test
    void shouldSpeakWithTritonsOwnClientOverGrpc() {
        Python.requireTritonClientOverGrpc();
        speaks(
                GRPC_SCRIPT,
                "127.0.0.1:" + service.context().getBean(GrpcServer.class).port());
    }

    private static void speaks(String script, String address) {
        int[] pixels = LeNet.image(1);
        float[] logits = LeNet.logits(new ParameterVersion("g", 2), LeNet.normalized(pixels), 1);

        String said = Python.run(script, address, joined(JSON.writeValueAsString(logits)), joined(LeNet.json(pixels)));

        assertThat(said).as(EXPECTED, joined(JSON.writeValueAsString(logits))).contains("spoken");
    }

    private static String joined(String array) {
        return array.substring(1, array.length() - 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ | 400 | the first 1 bytes of the body are not JSON: ",
                "[] | 400 | the first 2 bytes of the body must be a JSON object",
                "{} | 400 | 'inputs' must be an array of 1 input or more; it is none",
                "{\"inputs\":[]} | 400 | 'inputs' must be an array of 1 input or more; it has 0",
                "{\"inputs\":[{\"name\":\"x\"}]} | 400 | there is no input 'x'; the input is 'input'",
                "{\"inputs\":[{\"name\":\"input\",\"datatype\":\"INT64\"}]} | 400 | the datatype of the input 'input' is FP32 or UINT8; it is 'INT64'",
                "{\"inputs\":[{\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[1]}]} | 400 | the input 'input' needs 'data', an array, or the parameter 'binary_data_size'; 0 bytes follow the JSON",
                "{\"inputs\":[{\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[1],\"parameters\":{\"binary_data_size\":4}}]} | 400 | the input 'input' states 4 bytes of binary data; 0 bytes follow the JSON",
                "{\"inputs\":[{\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[1,1],\"data\":[1]}]} | 400 | the tensor 'input' has the shape [1, 1], the network takes [count, 1, 28, 28] with a count of 1 or more",
                "{\"inputs\":[{\"name\":\"input\",\"datatype\":\"UINT8\",\"shape\":[1,1,28,28],\"data\":[[1,2],[3.5]]}]} | 400 | value 2 of the input 'input' of type UINT8 is 3.5",
                "{\"inputs\":[{\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[1,1,28,28],\"data\":[1]}]} | 400 | the input 'input' of the shape [1, 1, 28, 28] has 784 values, its data has 1",
                "{\"inputs\":[{\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[2049,1,28,28],\"data\":[1]}]} | 413 | the request has 2049 images, the limit is 2048",
                "{\"inputs\":[{\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[1],\"data\":[1]}],\"outputs\":[{\"name\":\"y\"}]} | 400 | there is no output 'y'; the outputs are [logits, probabilities]"
            })
    void shouldAnswerAnErrorInTheFormOfTheProtocol(String body, int status, String message) {
        assertError(service.postJson("/v2/models/fleetgrad/infer", body), status, message);
    }

    @Test
    void shouldAnswerErrorsOfModelsAndVersions() {
        assertError(service.get("/v2/models/x"), 404, "there is no model 'x'; the model is 'fleetgrad'");
        assertError(
                service.get("/v2/models/fleetgrad/versions/7"), 404, "the version 7 is not held; held are [g-1, g-2]");
        assertError(service.get("/v2/models/fleetgrad/versions/7/ready"), 404, "the version 7 is not held");
        assertError(
                service.get("/v2/models/fleetgrad/versions/x"),
                400,
                "a version is a number such as 12, or a generation and a number such as 7c1b-12; it is 'x'");
        assertError(service.get("/v2/models/x/stats"), 404, "there is no model 'x'; the model is 'fleetgrad'");
        assertError(service.get("/v2/models/fleetgrad/versions/7/stats"), 404, "the version 7 is not held");
        HttpRequest headless = HttpRequest.newBuilder(service.uri("/v2/models/fleetgrad/infer"))
                .header("Content-Type", "application/octet-stream")
                .header("Inference-Header-Content-Length", "9")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        assertError(
                headless,
                400,
                "Inference-Header-Content-Length must be a number of bytes from 0 to the body's 2; it is '9'");
    }

    @Test
    void shouldListTheHeldVersionsAndRefuseAnotherQuestion() {
        assertThat(CONTRACT.send(service.postJson("/v2/repository/index", "{\"ready\":true}"))
                        .statusCode())
                .isEqualTo(200);
        assertError(service.postJson("/v2/repository/index", "{"), 400, "the 1 bytes of the body are not JSON");
        assertError(service.postJson("/v2/repository/index", "[null]"), 400, "the body is a JSON object; it is ARRAY");
        assertError(
                service.postJson("/v2/repository/index", "{\"ready\":\"yes\"}"),
                400,
                "'ready' is true or false; it is STRING");
    }

    @Test
    void shouldDescribeItselfAsDocumented() {
        for (String path : new String[] {
            "/v2",
            "/v2/health/live",
            "/v2/health/ready",
            "/v2/models/fleetgrad",
            "/v2/models/fleetgrad/ready",
            "/v2/models/fleetgrad/versions/1",
            "/v2/models/stats",
            "/v2/models/fleetgrad/stats",
            "/v2/models/fleetgrad/versions/1/stats",
            "/v2/models/fleetgrad/versions/g-1/ready"
        }) {
            assertThat(CONTRACT.send(service.get(path)).statusCode()).as(path).isEqualTo(200);
        }
    }

    private static void assertError(HttpRequest request, int status, String message) {
        HttpResponse<byte[]> response = CONTRACT.send(request);
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(JSON.readTree(response.body()).get("error").asString()).startsWith(message);
    }
}
