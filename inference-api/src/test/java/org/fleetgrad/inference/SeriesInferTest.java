package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import org.fleetgrad.datasets.SeriesSchema;
import org.fleetgrad.datasets.SeriesSchema.Channel;
import org.fleetgrad.datasets.table.TableTarget;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Series by the Open Inference Protocol: the same numbers as of {@code /predict}. */
class SeriesInferTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String INFER = "/v2/models/fleetgrad/infer";
    private static final TableTarget WAVES = new ClassTarget("y", List.of("sine", "square"));
    private static final TableTarget HEIGHT = new NumberTarget("y", 4000, 1000);
    private static final List<Channel> TWO = List.of(new Channel(1, 2), new Channel(-10, 0.5));

    private static final String TRITON = """
            import sys, json, numpy
            import tritonclient.http as http

            client = http.InferenceServerClient(sys.argv[1])
            expected = numpy.array(json.loads(sys.argv[2]))
            metadata = client.get_model_metadata("fleetgrad")
            assert metadata["inputs"] == [{"name": "input", "datatype": "FP32", "shape": [-1, 2, 3]}], metadata
            series = numpy.array([[[1, 3, -1], [-10, -9, -10.5]], [[0, 0, 0], [-12, -8, -9]]])
            for type, name in ((numpy.float32, "FP32"), (numpy.float64, "FP64")):
                for is_binary in (True, False):
                    data = http.InferInput("input", [2, 2, 3], name)
                    data.set_data_from_numpy(series.astype(type), binary_data=is_binary)
                    value = client.infer("fleetgrad", [data]).as_numpy("value")
                    assert numpy.abs(value[:, 0] - expected).max() < 1e-3, (value, expected)
            print("spoken")
            """;

    private ServedSchema served;
    private RunningService service;

    @BeforeEach
    void start() throws IOException {
        served = new ServedSchema();
        service = served.service();
    }

    @AfterEach
    void stop() {
        served.close();
    }

    private void serve(List<Channel> channels, TableTarget target) {
        served.serve("series?kind=lstm&hidden=4&layers=1", new SeriesSchema(3, channels, target));
    }

    private JsonNode answer(String path, String body) {
        return served.answer(service.postJson(path, body));
    }

    /** Asks by the protocol, and returns the output of a name. */
    private double[] inferred(String shape, String values, String output) {
        String body = "{\"inputs\":[{\"name\":\"input\",\"datatype\":\"FP64\",\"shape\":%s,\"data\":%s}]}"
                .formatted(shape, values);
        return ServedSchema.output(answer(INFER, body), output);
    }

    private double[] predicted(String values) {
        return answer("/predict", "{\"inputs\":%s}".formatted(values))
                .get("predictions")
                .valueStream()
                .mapToDouble(one -> one.get("value").asDouble())
                .toArray();
    }

    @Test
    void shouldPredictTheSameAsByPredict() {
        serve(TWO, HEIGHT);
        String values = "[[[1,3,-1],[-10,-9,-10.5]],[[0,0,0],[-12,-8,-9]]]";

        double[] inferred = inferred("[2,2,3]", values, "value");

        assertThat(inferred).containsExactly(predicted(values), within(1e-6));
        assertThat(inferred[0]).isNotCloseTo(inferred[1], within(1e-3));
    }

    @Test
    void shouldTakeSeriesOfOneChannelWithoutIt() {
        serve(List.of(new Channel(1, 2)), WAVES);

        double[] flat = inferred("[2,3]", "[1,3,-1, 0,5,0]", "probabilities");

        assertThat(flat).hasSize(4).isEqualTo(inferred("[2,1,3]", "[[[1,3,-1]],[[0,5,0]]]", "probabilities"));
        JsonNode predictions =
                answer("/predict", "{\"inputs\":[[1,3,-1],[0,5,0]]}").get("predictions");
        assertThat(predictions.get(1).get("probabilities").get(0).asDouble()).isCloseTo(flat[2], within(1e-6));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"name\":\"series\",\"datatype\":\"FP32\",\"shape\":[1,2,3],\"data\":[]|there is no input 'series'; the input is 'input'",
                "\"name\":\"input\",\"datatype\":\"BYTES\",\"shape\":[1,2,3],\"data\":[]|the datatype of the input 'input' is FP32 or FP64 or INT64 or INT32; it is 'BYTES'",
                "\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[],\"data\":[]|the input 'input' has the shape []; the model takes [count, 2, 3]",
                "\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[2,3],\"data\":[]|the input 'input' has the shape [2, 3]; the model takes [count, 2, 3]",
                "\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[0,2,3],\"data\":[]|the input 'input' has the shape [0, 2, 3]; a request has 1 sample or more",
                "\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[1,2,3],\"data\":[1,2]|the input 'input' of the shape [1, 2, 3] has 6 values, its data has 2",
                "\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[1,2,3],\"data\":[1,2,3,4,null,6]|value 4 of the input 'input' must be a number near those of the training samples; it is missing",
                "\"name\":\"input\",\"datatype\":\"FP64\",\"shape\":[1,2,3],\"data\":[1,2,3,4,5,1e300]|value 5 of the input 'input' must be a number near those of the training samples; it is 1.0E300"
            })
    void shouldSayWhatIsWrong(String input, String message) {
        serve(TWO, HEIGHT);

        HttpResponse<byte[]> response = served.send(service.postJson(INFER, "{\"inputs\":[{%s}]}".formatted(input)));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(response.body()).get("error").asString()).startsWith(message);
    }

    @Test
    void shouldRefuseMoreSeriesThanARequestMayHave() {
        serve(TWO, HEIGHT);
        String body =
                "{\"inputs\":[{\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[9223372036854775807,2,3],\"data\":[]}]}";

        HttpResponse<byte[]> response = served.send(service.postJson(INFER, body));

        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(JSON.readTree(response.body()).get("error").asString())
                .startsWith("the request has 9223372036854775807 samples; the limit is");
    }

    @Test
    @Tag("whole")
    void shouldSpeakWithTritonsOwnClient() {
        Python.requireTritonClient();
        serve(TWO, HEIGHT);
        double[] predicted = predicted("[[[1,3,-1],[-10,-9,-10.5]],[[0,0,0],[-12,-8,-9]]]");

        String said = Python.run(TRITON, service.uri("").getAuthority(), JSON.writeValueAsString(predicted));

        assertThat(said).contains("spoken");
    }
}
