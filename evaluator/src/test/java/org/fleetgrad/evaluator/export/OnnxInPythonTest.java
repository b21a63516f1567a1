package org.fleetgrad.evaluator.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.CategoryColumn;
import org.fleetgrad.datasets.table.DateColumn;
import org.fleetgrad.datasets.table.NumberColumn;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.onnx.file.ValueInfo;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** The checker of ONNX, and onnxruntime as Python has it: a second judge of each kind of network, on 100 samples. */
@Tag("whole")
class OnnxInPythonTest {

    private static final String SCRIPT = """
            import json
            import numpy, onnx, onnxruntime

            model = onnx.load("m.onnx")
            onnx.checker.check_model(model, full_check=True)
            session = onnxruntime.InferenceSession("m.onnx")
            kinds = {"FLOAT32": "float32", "FLOAT64": "float64", "INT64": "int64", "TEXT": object}
            told = json.load(open("samples.json"))
            inputs = {
                each["name"]: numpy.array(
                    [float("nan") if value == "NaN" else value for value in each["values"]], dtype=kinds[each["type"]]
                ).reshape([told["count"]] + each["shape"])
                for each in told["inputs"]
            }
            answer = session.run(None, inputs)[0]
            expected = numpy.array(told["outputs"]).reshape(answer.shape)
            print(abs(answer - expected).max() / abs(expected).max())
            one = {name: values[:1] for name, values in inputs.items()}
            print(abs(session.run(None, one)[0] - expected[:1]).max() / abs(expected).max())
            print(session.get_modelmeta().custom_metadata_map["network"])
            """;

    @TempDir
    private Path folder;

    @BeforeAll
    static void requirePython() {
        Python.requireOnnx();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lenet5",
                "resnet20",
                "vit?input=3x16x16&layers=2",
                "gpt2?layers=2&heads=2&width=32&context=16&vocabulary=50",
                "bert?layers=2&heads=2&width=32&context=16&vocabulary=50&classes=3&padding=0",
                "series?input=3x50&classes=4",
                "series?input=2x20&kind=lstm&hidden=16&layers=2",
                "tabular-resnet?numbers=4&categories=20,30&classes=3"
            })
    void shouldBeAcceptedByTheCheckerAndAnswerTheSame(String network) throws IOException {
        NetworkDefinition definition = Networks.usual(network);
        requireSame(definition, definition.spec().metadata(), 1, 0);
    }

    @Test
    void shouldTakeTheColumnsOfATable() throws IOException {
        List<String> towns = java.util.stream.IntStream.range(10, 30)
                .mapToObj("town %d"::formatted)
                .toList();
        TableSchema schema = new TableSchema(
                List.of(
                        new NumberColumn("price", 250_000, 12_345.678, true),
                        new CategoryColumn("town", towns),
                        new CategoryColumn("kind", List.of("flat", "house")),
                        new DateColumn("sold", true, 2001.25, 7.5, true)),
                new NumberTarget("rent", 1500, 89.5));
        NetworkDefinition definition = Networks.named("tabular", schema.task());
        Map<String, String> metadata = new HashMap<>(schema.metadata());
        metadata.putAll(definition.spec().metadata());
        requireSame(definition, metadata, 89.5, 1500);
    }

    /** An answer is an output times {@code factor}, and {@code added} to it. */
    private void requireSame(NetworkDefinition definition, Map<String, String> metadata, double factor, double added)
            throws IOException {
        TensorSet parameters =
                TensorSet.ofFloats(definition.spec().layout(), RandomParameters.of(definition), metadata);
        VerifiedExport export = VerifiedExport.of(parameters);
        ComparedSamples samples = export.random();
        Comparison unused = export.write(folder.resolve("m.onnx"), samples);
        int count = samples.count();
        assertThat(count).isEqualTo(100);
        float[] inputs = new float[count * definition.spec().inputSize()];
        for (int i = 0; i < count; i++) {
            samples.reader().read(i, inputs, new float[definition.spec().task().targets()], i);
        }
        float[] outputs;
        try (Network network = Libtorch.open(definition, Device.CPU)) {
            network.load(parameters);
            outputs = network.logits(inputs, count);
        }
        List<Double> answers = new ArrayList<>();
        for (float output : outputs) {
            answers.add(output * factor + added);
        }
        List<Map<String, Object>> told = new ArrayList<>();
        List<Object> values = export.export().form().values(inputs, count);
        for (int i = 0; i < values.size(); i++) {
            ValueInfo input = export.export().model().inputs().get(i);
            told.add(new LinkedHashMap<>(Map.of(
                    "name", input.name(),
                    "type", input.type().toString(),
                    "shape",
                            input.shape().stream()
                                    .skip(1)
                                    .map(side -> side.equals("tokens")
                                            ? definition.spec().inputSize()
                                            : Integer.parseInt(side))
                                    .toList(),
                    "values", values.get(i))));
        }
        Files.writeString(
                folder.resolve("samples.json"),
                JsonMapper.shared().writeValueAsString(Map.of("count", count, "inputs", told, "outputs", answers)));

        List<String> printed = Python.runWithOnnx(folder, SCRIPT).lines().toList();

        assertThat(Double.parseDouble(printed.get(0))).isLessThan(1e-5);
        assertThat(Double.parseDouble(printed.get(1))).isLessThan(1e-5);
        assertThat(printed.get(2)).isEqualTo(metadata.get(MetadataKeys.NETWORK));
    }
}
