package org.fleetgrad.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.ElementType;
import org.fleetgrad.onnx.file.OnnxGraph;
import org.fleetgrad.onnx.file.OnnxModel;
import org.fleetgrad.onnx.file.ValueInfo;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;

/** The file: its size, and what protobuf reads in it. Whether it means the network is tested with onnxruntime, by the evaluator. */
class OnnxModelTest {

    private static final NetworkDefinition LENET = Networks.usual("lenet5");

    @Test
    void shouldWriteAsManyBytesAsItSaysAndTheSameEachTime() throws IOException {
        OnnxModel model = lenet(Map.of("dataset", "mnist", "format", "pt"));

        byte[] once = written(model);

        assertThat(once).hasSize((int) model.byteLength()).isEqualTo(written(lenet(Map.of("dataset", "mnist"))));
        assertThat(new String(once, StandardCharsets.ISO_8859_1)).contains("dataset", "mnist", "conv1.weight");
    }

    @Test
    void shouldHaveTheFieldsOfAModel() throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(written(lenet(Map.of())));
        Map<Integer, Integer> fields = new TreeMap<>();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            fields.merge(WireFormat.getTagFieldNumber(tag), 1, Integer::sum);
            in.skipField(tag);
        }

        // IR version, producer, description, graph, the two sets of operators, and the name of the network.
        assertThat(fields).containsExactlyInAnyOrderEntriesOf(Map.of(1, 1, 2, 1, 6, 1, 7, 1, 8, 2, 14, 1));
    }

    @Test
    void shouldRefuseMoreThanTwoGibibytesBeforeItWrites() {
        TensorSet none = new TensorSet(
                TensorLayout.canonical(List.of(TensorSpec.f32("w", 1))), ByteBuffer.allocate(4), Map.of());
        OnnxGraph graph = new OnnxGraph(none);
        String x = graph.input(new ValueInfo("x", ElementType.FLOAT32, List.of("samples"), ""));
        // A large model without its memory: the same mebibyte again and again.
        List<ByteBuffer> parts = Collections.nCopies(2048, ByteBuffer.allocate(1 << 20));
        String large = graph.tensor("large", List.of(1L << 29), parts);
        graph.output(
                graph.add("Add", Attributes.none(), x, large), new ValueInfo("y", ElementType.FLOAT32, List.of(), ""));
        OnnxModel model = graph.model("", Map.of());

        assertThat(model.byteLength()).isBetween(1L << 31, (1L << 31) + 1000);
        assertThatThrownBy(() -> model.writeTo(OutputStream.nullOutputStream()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(
                        "the model has 2,147,48\\d,\\d{3} bytes as ONNX; a file of ONNX has at most 2,147,483,647: export it as safetensors");
    }

    @Test
    void shouldRefuseTensorsOfAnotherNetwork() {
        TensorSet other = new TensorSet(
                TensorLayout.canonical(List.of(TensorSpec.f32("w", 1))), ByteBuffer.allocate(4), Map.of());

        assertThatThrownBy(() -> OnnxExport.of(LENET, other, Optional.empty(), Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("conv1.bias");
    }

    @Test
    void shouldKeepTheNamesOfInputsWhereTensorsHaveThem() {
        TensorSet set = new TensorSet(
                TensorLayout.canonical(List.of(TensorSpec.f32("x", 1), TensorSpec.f32("y", 1))),
                ByteBuffer.allocate(8),
                Map.of());
        OnnxGraph graph = new OnnxGraph(set);
        String x = graph.input(new ValueInfo("x", ElementType.FLOAT32, List.of("samples"), ""));

        assertThat(graph.tensor("x")).isEqualTo("x_").isEqualTo(graph.tensor("x"));
        assertThat(graph.tensor("y")).isEqualTo("y");
        graph.output(x, new ValueInfo("y", ElementType.FLOAT32, List.of("samples"), ""));
        assertThat(graph.model("", Map.of()).outputs())
                .extracting(ValueInfo::name)
                .containsExactly("y_");
    }

    private static OnnxModel lenet(Map<String, String> metadata) {
        Map<String, String> all = new TreeMap<>(LENET.spec().metadata());
        all.putAll(metadata);
        TensorSet parameters = TensorSet.ofFloats(LENET.spec().layout(), LENET.initialParameters(1), all);
        return OnnxExport.of(LENET, parameters, Optional.empty(), Optional.empty())
                .model();
    }

    private static byte[] written(OnnxModel model) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        model.writeTo(out);
        return out.toByteArray();
    }
}
