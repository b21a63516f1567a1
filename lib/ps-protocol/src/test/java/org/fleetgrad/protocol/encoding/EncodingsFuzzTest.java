package org.fleetgrad.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

class EncodingsFuzzTest {

    private static final TensorLayout LAYOUT =
            TensorLayout.canonical(List.of(TensorSpec.f32("a", 7, 3), TensorSpec.f32("b", 5)));
    private static final TensorLayout SOME_ROWS = TensorLayout.inOrder(List.of(
            new TensorSpec("a:row", DType.I32, List.of(4L)), TensorSpec.f32("a:value", 4, 3), TensorSpec.f32("b", 5)));
    private static final List<String> TEXTS =
            List.of("f32", "f16", "bf16", "i8:16", "i8:256", "topk:0.3", "topk:1", "2bit:0.01", "rows");

    /** The first byte names the encoding, the others are its tensors. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        Encoding encoding = Encodings.parse(TEXTS.get(Math.floorMod(bytes[0], TEXTS.size())));
        TensorLayout wire = encoding instanceof Rows ? SOME_ROWS : encoding.wireLayout(LAYOUT);
        ByteBuffer data = ByteBuffer.allocate(Math.toIntExact(wire.byteLength()));
        data.put(bytes, 1, Math.min(bytes.length - 1, data.remaining())).clear();
        float[] values = new float[Math.toIntExact(LAYOUT.elementCount())];
        try {
            encoding.decode(LAYOUT, new TensorSet(wire, data, Map.of()), values);
        } catch (EncodingException refused) {
            assertThat(refused).hasMessageMatching("(?s).+");
        }
    }
}
