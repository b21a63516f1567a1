package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.fleetgrad.inference.ServedSchema.output;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.CategoryColumn;
import org.fleetgrad.datasets.table.DateColumn;
import org.fleetgrad.datasets.table.LabelsTarget;
import org.fleetgrad.datasets.table.NumberColumn;
import org.fleetgrad.datasets.table.TableColumn;
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

/** Rows of a table by the Open Inference Protocol: the same numbers as of {@code /predict}, however they are sent. */
class TableInferTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String INFER = "/v2/models/fleetgrad/infer";
    private static final List<TableColumn> COLUMNS = List.of(
            new NumberColumn("carat", 0.8, 0.5, true),
            new CategoryColumn("cut", List.of("Fair", "Good", "Ideal")),
            new CategoryColumn("town", List.of("1", "2", "3", "4", "5", "6", "7", "8", "9")),
            new DateColumn("sold", false, 2020, 2, false));
    private static final NumberTarget PRICE = new NumberTarget("price", 3931.25, 3984.5);

    private static final String ROWS = """
            {"rows":[{"carat":0.4,"cut":"Ideal","town":5,"sold":"2021-03-04"},
                     {"carat":null,"cut":"Awful","town":"9","sold":"2019-12-31"},
                     {"carat":2.25,"town":null}]}""";

    private static final String BY_COLUMN = """
            {"id":"7","inputs":[
              {"name":"carat","datatype":"FP64","shape":[3],"data":[0.4,null,2.25]},
              {"name":"cut","datatype":"BYTES","shape":[3,1],"data":[["Ideal"],["Awful"],[""]]},
              {"name":"town","datatype":"INT64","shape":[3],"data":[5,9,null]},
              {"name":"sold","datatype":"BYTES","shape":[3],"data":["2021-03-04","2019-12-31",""]}]}""";

    private static final String TRITON = """
            import sys, json, numpy
            import tritonclient.http as http
            from tritonclient.utils import InferenceServerException

            client = http.InferenceServerClient(sys.argv[1])
            expected = json.loads(sys.argv[2])
            metadata = client.get_model_metadata("fleetgrad")
            assert metadata["inputs"] == [
                {"name": "carat", "datatype": "FP64", "shape": [-1]},
                {"name": "cut", "datatype": "BYTES", "shape": [-1]},
                {"name": "town", "datatype": "BYTES", "shape": [-1]},
                {"name": "sold", "datatype": "BYTES", "shape": [-1]},
                {"name": "input", "datatype": "FP32", "shape": [-1, 11]}], metadata
            assert metadata["outputs"] == [
                {"name": "value", "datatype": "FP64", "shape": [-1, 1]},
                {"name": "logits", "datatype": "FP32", "shape": [-1, 1]}], metadata
            columns = {
                "carat": (numpy.array([0.4, numpy.nan, 2.25]), "FP64"),
                "cut": (numpy.array([["Ideal"], ["Awful"], [""]], dtype=object), "BYTES"),
                "town": (numpy.array(["5", "9", ""], dtype=object), "BYTES"),
                "sold": (numpy.array(["2021-03-04", "2019-12-31", ""], dtype=object), "BYTES"),
            }
            for output_is_binary in (True, False):
                inputs = []
                for name, (values, datatype) in columns.items():
                    data = http.InferInput(name, list(values.shape), datatype)
                    # JSON has no NaN.
                    data.set_data_from_numpy(values, binary_data=output_is_binary or name == "carat")
                    inputs.append(data)
                outputs = [http.InferRequestedOutput("value", binary_data=output_is_binary)]
                result = client.infer("fleetgrad", inputs, outputs=outputs, request_id="7")
                value = result.as_numpy("value")
                assert value.shape == (3, 1) and value.dtype == numpy.float64, value
                assert numpy.abs(value[:, 0] - expected).max() < 1e-5, (value, expected)
                reply = result.get_response()
                assert reply["id"] == "7"
                unknown = json.loads(reply["parameters"]["unknown"])
                assert unknown == [{"row": 1, "column": "cut", "value": "Awful", "categories": 3,
                    "known": ["Fair", "Good", "Ideal"]}], unknown
            few = http.InferInput("carat", [2], "FP32")
            few.set_data_from_numpy(numpy.array([0.4, 2.25], dtype=numpy.float32))
            everything = client.infer("fleetgrad", [few])
            logits = everything.as_numpy("logits")
            assert logits.dtype == numpy.float32 and logits.shape == (2, 1)
            assert numpy.abs(3931.25 + 3984.5 * logits.astype(numpy.float64) - everything.as_numpy("value")).max() < 1e-9
            wrong = http.InferInput("karat", [2], "FP32")
            wrong.set_data_from_numpy(numpy.array([0.4, 2.25], dtype=numpy.float32))
            try:
                client.infer("fleetgrad", [wrong])
                raise SystemExit("not refused")
            except InferenceServerException as refused:
                assert "there is no column 'karat'; the 4 columns are carat, cut, town, sold" in str(refused), refused
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

    private void serve(List<TableColumn> columns, TableTarget target) {
        served.serve("tabular?hidden=4", new TableSchema(columns, target));
    }

    private JsonNode answer(HttpRequest request) {
        return served.answer(request);
    }

    private double[] predicted() {
        return answer(service.postJson("/predict", ROWS))
                .get("predictions")
                .valueStream()
                .mapToDouble(one -> one.get("value").asDouble())
                .toArray();
    }

    @Test
    void shouldPredictTheSameOfColumnsAsOfRows() {
        serve(COLUMNS, PRICE);

        JsonNode reply = answer(service.postJson(INFER, BY_COLUMN));

        assertThat(output(reply, "value")).containsExactly(predicted(), within(1e-5));
        assertThat(reply.get("id").asString()).isEqualTo("7");
        JsonNode unknown = JSON.readTree(reply.get("parameters").get("unknown").asString());
        assertThat(unknown).isEqualTo(answer(service.postJson("/predict", ROWS)).get("unknown"));
    }

    /** Standardized by hand: carat and whether it is missing, the cuts, the date, and the index of the town. */
    @Test
    void shouldPredictTheSameOfRowsAsTheNetworkTakesThem() {
        serve(COLUMNS, PRICE);
        double month = 2 * Math.PI * 2 / 12;
        double day = 2 * Math.PI * 3 / 7;
        String first = "%s,0, 0,0,1, 0.5,%s,%s,%s,%s, 5"
                .formatted((0.4 - 0.8) / 0.5, Math.sin(month), Math.cos(month), Math.sin(day), Math.cos(day));
        String body = "{\"inputs\":[{\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[1,11],\"data\":[[%s]]}]}"
                .formatted(first);

        assertThat(output(answer(service.postJson(INFER, body)), "value")[0]).isCloseTo(predicted()[0], within(1e-2));
    }

    @Test
    void shouldReadBytesAfterTheJson() throws IOException {
        serve(COLUMNS, PRICE);
        ByteBuffer carats = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        carats.putDouble(0.4).putDouble(Double.NaN).putDouble(2.25);
        ByteArrayOutputStream cuts = new ByteArrayOutputStream();
        for (String cut : List.of("Ideal", "Awful", "")) {
            cuts.write(ByteBuffer.allocate(4)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(cut.length())
                    .array());
            cuts.write(cut.getBytes(StandardCharsets.UTF_8));
        }
        String json = """
                {"inputs":[{"name":"cut","datatype":"BYTES","shape":[3],"parameters":{"binary_data_size":%d}},
                  {"name":"town","datatype":"BYTES","shape":[3],"data":["5","9",""]},
                  {"name":"carat","datatype":"FP64","shape":[3],"parameters":{"binary_data_size":24}},
                  {"name":"sold","datatype":"BYTES","shape":[3],"data":["2021-03-04","2019-12-31",""]}]}""".formatted(cuts.size());
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.write(json.getBytes(StandardCharsets.UTF_8));
        body.write(cuts.toByteArray());
        body.write(carats.array());
        HttpRequest request = HttpRequest.newBuilder(service.uri(INFER))
                .header("Content-Type", "application/octet-stream")
                .header("Inference-Header-Content-Length", Integer.toString(json.length()))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body.toByteArray()))
                .build();

        assertThat(output(answer(request), "value")).containsExactly(predicted(), within(1e-5));
    }

    @Test
    void shouldPredictClassesWithTheirProbabilities() {
        serve(COLUMNS, new ClassTarget("sold out", List.of("no", "yes")));
        JsonNode rows = answer(service.postJson("/predict", ROWS)).get("predictions");

        double[] probabilities = output(answer(service.postJson(INFER, BY_COLUMN)), "probabilities");

        assertThat(probabilities).hasSize(6);
        for (int i = 0; i < 6; i++) {
            assertThat(probabilities[i])
                    .isCloseTo(rows.get(i / 2).get("probabilities").get(i % 2).asDouble(), within(1e-5));
        }
    }

    @Test
    void shouldPredictSeveralLabelsEachWithItsProbability() {
        List<String> labels = List.of("toxic", "a threat");
        serve(COLUMNS, LabelsTarget.of(labels));
        JsonNode rows = answer(service.postJson("/predict", ROWS)).get("predictions");

        JsonNode reply = answer(service.postJson(INFER, BY_COLUMN));

        double[] logits = output(reply, "logits");
        double[] probabilities = output(reply, "probabilities");
        assertThat(probabilities).hasSize(6);
        for (int i = 0; i < 6; i++) {
            JsonNode label = rows.get(i / 2).get("labels").get(labels.get(i % 2));
            assertThat(probabilities[i]).isCloseTo(1 / (1 + Math.exp(-logits[i])), within(1e-6));
            assertThat(label.get("probability").asDouble()).isCloseTo(probabilities[i], within(1e-5));
            assertThat(label.get("yes").asBoolean()).isEqualTo(logits[i] > 0);
        }
        JsonNode outputs = answer(service.get("/v2/models/fleetgrad")).get("outputs");
        assertThat(outputs.get(1).get("name").asString()).isEqualTo("probabilities");
        assertThat(outputs.get(1).get("shape").get(1).asInt()).isEqualTo(2);
        assertThat(outputs.get(1)
                        .get("labels")
                        .valueStream()
                        .map(JsonNode::asString)
                        .toList())
                .isEqualTo(labels);
        assertThat(answer(service.get("/status")).get("classes").get(1).asString())
                .isEqualTo("a threat");
        assertThat(answer(service.get("/status")).get("table").get("target").asString())
                .isEqualTo("toxic, a threat");
    }

    @Test
    void shouldTakeOnlyColumnsIfOneHasTheNameOfTheInput() {
        serve(List.of(new NumberColumn("input", 1, 2, false)), PRICE);
        String row = "{\"inputs\":[{\"name\":\"input\",\"datatype\":\"FP64\",\"shape\":[1],\"data\":[4]}]}";

        assertThat(answer(service.get("/v2/models/fleetgrad")).get("inputs")).hasSize(1);
        assertThat(output(answer(service.postJson(INFER, row)), "value")[0])
                .isCloseTo(
                        answer(service.postJson("/predict", "{\"row\":{\"input\":4}}"))
                                .get("predictions")
                                .get(0)
                                .get("value")
                                .asDouble(),
                        within(1e-5));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"name\":\"karat\",\"datatype\":\"FP64\",\"shape\":[1],\"data\":[1]}|there is no column 'karat'; the 4 columns are carat, cut, town, sold",
                "{\"name\":\"price\",\"datatype\":\"FP64\",\"shape\":[1],\"data\":[1]}|there is no column 'price' to predict from, it is the target; the 4 columns",
                "{\"name\":\"carat\",\"datatype\":\"UINT8\",\"shape\":[1],\"data\":[1]}|the datatype of the input 'carat' is FP64 or FP32 or INT64 or INT32 or BOOL or BYTES; it is 'UINT8'",
                "{\"name\":\"carat\",\"datatype\":\"BYTES\",\"shape\":[1],\"data\":[\"much\"]}|row 0 cannot be read: the column 'carat' takes numbers; it is 'much'",
                "{\"name\":\"carat\",\"datatype\":\"FP64\",\"shape\":[1],\"data\":[\"1\"]}|value 0 of the input 'carat' of type FP64 is \"1\"",
                "{\"name\":\"carat\",\"datatype\":\"FP64\",\"shape\":[2],\"data\":[1]}|the input 'carat' of the shape [2] has 2 values, its data has 1",
                "{\"name\":\"carat\",\"datatype\":\"FP64\",\"shape\":[0],\"data\":[]}|the input 'carat' has the shape [0]; a request has 1 sample or more",
                "{\"name\":\"carat\",\"datatype\":\"FP64\",\"shape\":[1]}|the input 'carat' needs 'data', an array, or the parameter 'binary_data_size'; 0 bytes follow the JSON",
                "{\"name\":\"carat\",\"datatype\":\"FP64\",\"shape\":[1],\"data\":[1]},{\"name\":\"cut\",\"datatype\":\"BYTES\",\"shape\":[2],\"data\":[]}|the input 'cut' has the shape [2]; a column has [count] or [count, 1], and all the same count; that of 'carat' is [1]",
                "{\"name\":\"carat\",\"datatype\":\"FP64\",\"shape\":[1],\"data\":[1]},{\"name\":\"carat\",\"datatype\":\"FP64\",\"shape\":[1],\"data\":[1]}|the input 'carat' is there twice",
                "{\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[1,3],\"data\":[1]}|the input 'input' has the shape [1, 3]; the model takes [count, 11], or an input for each column",
                "{\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[1,11],\"data\":[0,0,0,0,0,0,0,0,0,0,10]}|value 10 of the input 'input' is an index of a category, from 0 to 9; it is 10.0",
                "{\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[1,11],\"data\":[null,0,0,0,0,0,0,0,0,0,1]}|value 0 of the input 'input' must be a finite number; it is NaN"
            })
    void shouldSayWhatIsWrong(String inputs, String message) {
        serve(COLUMNS, PRICE);

        HttpResponse<byte[]> response = served.send(service.postJson(INFER, "{\"inputs\":[%s]}".formatted(inputs)));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(response.body()).get("error").asString()).startsWith(message);
    }

    @Test
    @Tag("whole")
    void shouldSpeakWithTritonsOwnClient() {
        Python.requireTritonClient();
        serve(COLUMNS, PRICE);

        String said = Python.run(TRITON, service.uri("").getAuthority(), JSON.writeValueAsString(predicted()));

        assertThat(said).contains("spoken");
    }
}
