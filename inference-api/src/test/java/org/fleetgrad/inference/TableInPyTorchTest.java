package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.datasets.TableDataset;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.folder.DatasetFolder;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.table.TableOptions;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.Classifier;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.NetworkClassifiers;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.serving.evaluation.Evaluation;
import org.fleetgrad.serving.evaluation.Evaluator;
import org.fleetgrad.serving.evaluation.TestSet;
import org.fleetgrad.testing.Python;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rows of the diamonds: {@code /predict}, the Open Inference Protocol, an evaluation and PyTorch with the file say the same. */
@Tag("whole")
class TableInPyTorchTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final String SCRIPT = """
            import csv, gzip, json, sys, urllib.request
            import numpy, torch
            import tritonclient.http as http
            from safetensors import safe_open

            address, model, data = sys.argv[1:]
            with safe_open(model, "pt") as file:
                table = json.loads(file.metadata()["table"])
                state = {name: file.get_tensor(name) for name in file.keys()}

            class Tabular(torch.nn.Module):
                def __init__(self):
                    super().__init__()
                    hidden, width = state["fc1.weight"].shape
                    self.fc1 = torch.nn.Linear(width, hidden)
                    self.fc2 = torch.nn.Linear(hidden, 1)

                def forward(self, x):
                    return self.fc2(torch.relu(self.fc1(x)))

            network = Tabular()
            network.load_state_dict(state)
            network.double()
            with gzip.open(data, "rt") as lines:
                rows = [row for row, _ in zip(csv.DictReader(lines), range(200))]
            x = []
            for row in rows:
                values = []
                for column in table["columns"]:
                    value = row[column["name"]]
                    if column["kind"] == "number":
                        values.append((float(value) - column["mean"]) / column["std"])
                    else:
                        values += [float(value == known) for known in column["values"]]
                x.append(values)
            x = torch.tensor(x, dtype=torch.float64)
            with torch.no_grad():
                deviations = network(x)[:, 0].numpy()
            mean, std = table["target"]["mean"], table["target"]["std"]

            names = [column["name"] for column in table["columns"]]
            body = json.dumps({"rows": [{name: row[name] for name in names} for row in rows]}).encode()
            request = urllib.request.Request(f"http://{address}/predict", body, {"Content-Type": "application/json"})
            answer = json.load(urllib.request.urlopen(request))
            assert "unknown" not in answer, answer
            predicted = numpy.array([one["value"] for one in answer["predictions"]])
            assert {one["target"] for one in answer["predictions"]} == {"price"}
            # Float32 is compared in standard deviations: a price has more digits than it.
            assert numpy.abs((predicted - mean) / std - deviations).max() < 1e-5

            client = http.InferenceServerClient(address)
            inputs = []
            for column in table["columns"]:
                is_number = column["kind"] == "number"
                values = [row[column["name"]] for row in rows]
                values = numpy.array([float(v) for v in values]) if is_number else numpy.array(values, dtype=object)
                inputs.append(http.InferInput(column["name"], [200], "FP64" if is_number else "BYTES"))
                inputs[-1].set_data_from_numpy(values)
            by_column = client.infer("fleetgrad", inputs).as_numpy("value")[:, 0]
            assert numpy.abs(by_column - predicted).max() < 1e-5

            matrix = http.InferInput("input", list(x.shape), "FP32")
            matrix.set_data_from_numpy(x.numpy().astype(numpy.float32))
            by_row = client.infer("fleetgrad", [matrix]).as_numpy("logits")[:, 0]
            assert numpy.abs(by_row - deviations).max() < 1e-5
            print("all alike")
            """;

    @TempDir
    private Path folder;

    private Path table;
    private TableDataset diamonds;
    private TensorSet parameters;
    private FakeParameterServer server;
    private RunningService service;

    @BeforeEach
    void serve() throws IOException {
        server = new FakeParameterServer(0);
        service = RunningService.start("inference.server=" + server.uri());
        table = SharedData.require("data/tabular/diamonds.csv.gz");
        diamonds = (TableDataset) DatasetFolder.read(
                table, FolderOptions.NONE.withTable(TableOptions.of(List.of("price"), List.of(), List.of())));
        parameters = SchemaSets.of("tabular?hidden=4", diamonds.schema());
        server.publish(new ParameterVersion("g", 1), parameters);
        LiveModel model = service.context().getBean(LiveModel.class);
        await().atMost(PATIENCE).until(() -> model.version().isPresent());
    }

    @AfterEach
    void stop() {
        service.close();
        server.close();
    }

    @Test
    void shouldPredictWhatPyTorchPredicts() throws IOException {
        Python.requireTritonClient();
        Path file = folder.resolve("model.safetensors");
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            out.write(Safetensors.encode(parameters));
        }

        String said = Python.run(SCRIPT, service.uri("").getAuthority(), file.toString(), table.toString());

        assertThat(said).contains("all alike");
    }

    /** The held-out rows, in requests of 200: their errors are those of the evaluation. */
    @Test
    void shouldPredictWhatAnEvaluationMeasures() throws Exception {
        NetworkClassifiers classifiers = new NetworkClassifiers(Device.CPU);
        ServedNetwork network = classifiers.networkOf(parameters);
        Evaluation evaluation;
        try (Classifier classifier = classifiers.open(network)) {
            evaluation = Evaluator.within(1 << 26, Clock.systemUTC())
                    .evaluate(
                            new ParameterVersion("g", 1),
                            parameters,
                            network,
                            new TestSet(diamonds.test(), diamonds.schema()),
                            classifier);
        }

        TableSamples test = diamonds.test();
        double std = ((NumberTarget) diamonds.schema().target()).std();
        double squares = 0;
        for (int from = 0; from < test.count(); from += 200) {
            TableSamples part = test.slice(from, Math.min(test.count(), from + 200));
            double[] logits = logits(part);
            for (int i = 0; i < logits.length; i++) {
                squares += Math.pow(std * (logits[i] - part.targets()[i]), 2);
            }
        }

        double rmse = Math.sqrt(squares / test.count());
        assertThat(evaluation.regression().orElseThrow().rmse()).isCloseTo(rmse, within(1e-5 * rmse));
    }

    private double[] logits(TableSamples rows) throws Exception {
        String body = """
                {"inputs":[{"name":"input","datatype":"FP32","shape":[%d,%d],"data":%s}],"outputs":[{"name":"logits"}]}""".formatted(rows.count(), rows.width(), JSON.writeValueAsString(rows.values()));
        HttpResponse<byte[]> response = HttpClient.newHttpClient()
                .send(service.postJson("/v2/models/fleetgrad/infer", body), HttpResponse.BodyHandlers.ofByteArray());
        JsonNode reply = JSON.readTree(response.body());
        return reply.get("outputs")
                .get(0)
                .get("data")
                .valueStream()
                .mapToDouble(JsonNode::asDouble)
                .toArray();
    }
}
