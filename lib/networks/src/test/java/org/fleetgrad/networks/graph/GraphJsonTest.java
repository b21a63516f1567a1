package org.fleetgrad.networks.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.block.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GraphJsonTest {

    private static final List<Integer> INPUT = List.of(3, 8, 8);
    private static final String TENSORS =
            "{\"conv.weight\":[4,3,3,3],\"block.weight\":[4,4,1,1],\"fc.weight\":[10,4],\"fc.bias\":[10]}";
    private static final String TABLES = "[[2,0,0,1],[0.5],[-1]]";
    private static final String CONV = conv("conv.weight", 0, 1);
    private static final String HEAD = """
            {"op":"mean","in":[4],"dims":[2,3],"keep":false},
            {"op":"linear","in":[5],"weight":"fc.weight","bias":"fc.bias"}""";

    /** A convolution, a residual around another one, and a head. */
    private static final String RESIDUAL = CONV + ",{\"op\":\"relu\",\"in\":[1]}," + conv("block.weight", 2, 0)
            + ",{\"op\":\"add\",\"in\":[2,3]}," + HEAD;

    /** The same as a network's name has it. */
    private static final String RELATIVE = conv("0", 1, 1) + ",{\"op\":\"relu\",\"in\":[1]}," + conv("0", 1, 0) + """
            ,{"op":"add","in":[2,1]},
            {"op":"mean","in":[1],"dims":[2,3],"keep":false},
            {"op":"linear","in":[1],"weight":"0","bias":"0"}""";

    @Test
    void shouldReadTheSameOfRelativeReferences() {
        assertThat(GraphJson.unpack(pack(document(TENSORS, RELATIVE)), INPUT)).isEqualTo(read(TENSORS, RESIDUAL));
        assertThat(GraphJson.unpack(
                        pack(document(
                                "{\"w\":[4,3,3,3],\"v\":[4,4,3,3]}",
                                conv("0", 1, 1) + "," + conv("0", 1, 1) + "," + conv("1", 1, 1) + ","
                                        + conv("2", 4, 1))),
                        INPUT))
                .isEqualTo(read(
                        "{\"w\":[4,3,3,3],\"v\":[4,4,3,3]}",
                        conv("w", 0, 1) + "," + conv("v", 1, 1) + "," + conv("v", 2, 1) + "," + conv("w", 0, 1)));
    }

    @ParameterizedTest
    @CsvSource({
        "1,0,there is no tensor 1 back from the 0 that were read",
        "-1,0,a tensor must be a number from 0 on; it is '-1'",
        "0,0,'it reads the value 1, which is not there'",
        "0,2,'it reads the value -1, which is not there'",
    })
    void shouldRefuseRelativeReferencesToNothing(String tensor, int back, String message) {
        String packed = pack(document("{\"w\":[4,3,3,3]}", conv(tensor, back, 1)));

        assertThatThrownBy(() -> GraphJson.unpack(packed, INPUT)).hasMessageContaining(message);
    }

    @Test
    void shouldLookRowsUp() {
        Graph graph = read("{\"w\":[3,8]}", """
                {"op":"rows","in":["w"],"table":0},
                {"op":"constant","in":[],"shape":[1,1],"table":1},
                {"op":"mul","in":[1,2]},
                {"op":"cat","in":[3,3],"dim":0},
                {"op":"add","in":[0,4]}""");

        assertThat(graph.output()).isEqualTo(List.of(3L, 8L, 8L));
    }

    @Test
    void shouldCutWhereOneValueCrosses() {
        List<Graph> pieces = GraphPieces.of(read(TENSORS, RESIDUAL));

        assertThat(pieces)
                .extracting(piece -> List.copyOf(piece.tensors().keySet()))
                .containsExactly(List.of("conv.weight"), List.of("block.weight"), List.of("fc.weight", "fc.bias"));
        assertThat(pieces).extracting(Graph::output).containsExactly(List.of(4L, 8L, 8L), List.of(4L), List.of(10L));
    }

    @Test
    void shouldKeepTogetherWhatReadsOneTensor() {
        String shared = CONV + "," + conv("block.weight", 1, 0) + "," + conv("block.weight", 2, 0)
                + ",{\"op\":\"relu\",\"in\":[3]}," + HEAD;

        assertThat(GraphPieces.of(read(TENSORS, shared)))
                .hasSize(3)
                .first()
                .satisfies(piece -> assertThat(piece.tensors()).containsOnlyKeys("conv.weight"));
    }

    @Test
    void shouldBeANetworkByItsName() {
        String name = "graph?classes=10&graph=%s&input=3x8x8".formatted(pack(document(TENSORS, RELATIVE)));

        NetworkDefinition network = Networks.named(name);

        assertThat(network.spec().name()).isEqualTo(name);
        assertThat(network.spec().layout().elementCount()).isEqualTo(4 * 27 + 16 + 40 + 10);
        assertThat(network.blocks()).extracting(Block::name).containsExactly("conv", "block", "fc");
    }

    @Test
    void shouldRefuseAnotherNumberOfClassesThanTheNameHas() {
        String name = "graph?classes=9&graph=%s&input=3x8x8".formatted(pack(document(TENSORS, RELATIVE)));

        assertThatThrownBy(() -> Networks.named(name)).hasMessageContaining("must end in [9]; it ends in [10]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"op\":\"evil\",\"in\":[0]}|node 1: there is no operator 'evil'; the operators are abs, adaptive_avg_pool",
                "{\"op\":\"relu\",\"in\":[1]}|node 1, unary: it reads the value 1, which is not there before it",
                "{\"op\":\"relu\",\"in\":[0],\"x\":1}|node 1: it has no field 'x'",
                "{\"op\":\"relu\",\"in\":[0,0]}|node 1, unary: it takes 1 to 1 operands, not 2",
                "{\"op\":\"relu\",\"in\":[\"w\"]}|node 1, unary: there is no tensor 'w'",
                "{\"op\":\"relu\"}|node 1: it needs the field 'in'",
                "{\"op\":\"relu\",\"in\":[4611686018427387904]}|node 1: 'in' must be a whole number from 0 to 1,048,576",
                "{\"op\":\"reshape\",\"in\":[0],\"sizes\":[\"B\",193]}|[1, 3, 8, 8] cannot be reshaped to [1, 193]",
                "{\"op\":\"reshape\",\"in\":[0],\"sizes\":[\"B*0\",192]}|'sizes' must be sides such as 64",
                "{\"op\":\"reshape\",\"in\":[0],\"sizes\":[1,192]}|[2, 3, 8, 8] cannot be reshaped to [1, 192]",
                "{\"op\":\"expand\",\"in\":[0],\"sizes\":[1048576,1048576,\"B\",3,8,8]}|the most is 1,073,741,824",
                "{\"op\":\"pad\",\"in\":[0],\"padding\":[1048576,1048576,1048576,1048576],\"scalar\":0}|the most is",
                "{\"op\":\"dropout\",\"in\":[0],\"p\":1,\"of\":\"values\"}|'p' must be from 0 to below 1; it is 1",
                "{\"op\":\"mul\",\"in\":[0],\"scalar\":1e999}|'scalar' must be a number",
                "{\"op\":\"permute\",\"in\":[0],\"dims\":[0,1,1,3]}|[0, 1, 1, 3] are not the dimensions of [1, 3, 8, 8]",
                "{\"op\":\"sum\",\"in\":[0],\"dims\":[0],\"keep\":true}|the output of 2 samples is [1, 3, 8, 8]",
                "{\"op\":\"amax\",\"in\":[0],\"dims\":[],\"keep\":true}|node 1, reduction: AMAX is along one dimension or more",
                "{\"op\":\"layer_norm\",\"in\":[0],\"weight\":\"w\",\"width\":8,\"epsilon\":0}|has w and none",
                "{\"op\":\"constant\",\"in\":[],\"shape\":[5],\"table\":0}|a constant of the shape [5] has 4 values",
                "{\"op\":\"constant\",\"in\":[],\"shape\":[5],\"table\":3}|'table' must be one of 3 tables; it is 3",
                "{\"op\":\"rows\",\"in\":[0],\"table\":0}|the table has other numbers than places of the rows of [1, 3, 8, 8]",
                "{\"op\":\"rows\",\"in\":[0],\"table\":1}|the table has other numbers than places",
                "{\"op\":\"rows\",\"in\":[0],\"table\":2}|the table has other numbers than places",
                "7|node 1: it needs the field 'op'",
            })
    void shouldRefuse(String nodes, String message) {
        assertThatThrownBy(() -> read("{}", nodes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseTensorsThatDoNotFit() {
        assertThatThrownBy(() -> read("{\"conv.weight\":[4,2,3,3]}", CONV))
                .hasMessageContaining(
                        "a convolution of 1 groups with the weight [4, 2, 3, 3] cannot take [1, 3, 8, 8]");
        assertThatThrownBy(() -> read("{\"conv.weight\":[4,3,3,3],\"more\":[1]}", CONV))
                .hasMessageContaining("no node reads the tensor 'more'");
        assertThatThrownBy(() -> read("{\"conv.weight\":[4,-3,3,3]}", CONV))
                .hasMessageContaining("the tensor 'conv.weight' needs a name of 1 to 512 characters, and a shape");
        assertThatThrownBy(
                        () -> read("{\"w\":[2147483647,2147483647,2147483647]}", "{\"op\":\"add\",\"in\":[0,\"w\"]}"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseTablesThatAreNone() {
        for (String tables : List.of("[7]", "[[true]]", "[[1e39]]", "[[\"1\"]]", "[[1],[[1]]]")) {
            assertThatThrownBy(() -> GraphJson.read(
                            "{\"format\":1,\"tensors\":{},\"tables\":%s,\"nodes\":[]}"
                                    .formatted(tables)
                                    .getBytes(StandardCharsets.UTF_8),
                            INPUT))
                    .hasMessageContaining("must be a list of at most 262,144 finite numbers");
        }
    }

    @Test
    void shouldRefuseTooManyNodesAndTooMuchJson() {
        String many = String.join(",", Collections.nCopies(Graph.MOST_NODES + 1, "{\"op\":\"relu\",\"in\":[0]}"));
        assertThatThrownBy(() -> read("{}", many)).hasMessageContaining("at most 16,384; it has 16,385");

        String bomb = pack("{\"format\":1,%s}".formatted(" ".repeat(1 << 24)));
        assertThatThrownBy(() -> GraphJson.unpack(bomb, INPUT)).hasMessageContaining("at most 4,194,304 bytes of JSON");
        assertThatThrownBy(() -> GraphJson.unpack("x".repeat(99), INPUT)).hasMessageContaining("the graph is damaged");
    }

    private static Graph read(String tensors, String nodes) {
        return GraphJson.read(document(tensors, nodes).getBytes(StandardCharsets.UTF_8), INPUT);
    }

    private static String document(String tensors, String nodes) {
        return "{\"format\":1,\"tensors\":%s,\"tables\":%s,\"nodes\":[%s]}".formatted(tensors, TABLES, nodes);
    }

    private static String conv(String weight, int input, int padding) {
        return "{\"op\":\"conv\",\"in\":[%d],\"weight\":\"%s\",\"stride\":[1,1],\"padding\":[%d,%d],\"dilation\":[1,1],\"groups\":1}"
                .formatted(input, weight, padding, padding);
    }

    private static String pack(String json) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        Deflater raw = new Deflater(Deflater.BEST_SPEED, true);
        try (DeflaterOutputStream out = new DeflaterOutputStream(packed, raw)) {
            out.write(json.getBytes(StandardCharsets.UTF_8));
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            raw.end();
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(packed.toByteArray());
    }
}
