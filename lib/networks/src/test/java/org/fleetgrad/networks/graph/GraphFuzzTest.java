package org.fleetgrad.networks.graph;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

class GraphFuzzTest {

    /** The bytes are the JSON of a graph, the nodes of one, and the packed form: each is read and cut, or refused. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] bytes) {
        readOrRefuse(bytes);
        readOrRefuse("{\"format\":1,\"tensors\":{\"w\":[4,3,3,3],\"b\":[4]},\"tables\":[[0,3,3],[0.5]],\"nodes\":[%s]}"
                .formatted(new String(bytes, StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8));
        try {
            Object unused = GraphJson.unpack(Base64.getUrlEncoder().encodeToString(bytes), List.of(3, 8, 8));
        } catch (IllegalArgumentException refused) {
            // As documented.
        }
    }

    private static void readOrRefuse(byte[] json) {
        try {
            Object unused = GraphPieces.of(GraphJson.read(json, List.of(3, 8, 8)));
        } catch (IllegalArgumentException refused) {
            // As documented.
        }
    }
}
