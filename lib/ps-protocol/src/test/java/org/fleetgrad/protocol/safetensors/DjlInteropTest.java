package org.fleetgrad.protocol.safetensors;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DJL's own reader and writer of the format as an oracle; not for BF16, on which DJL 0.35.1 aborts the process. */
class DjlInteropTest {

    private static final String TYPES = """
            F32,  FLOAT32
            F64,  FLOAT64
            F16,  FLOAT16
            I8,   INT8
            U8,   UINT8
            I32,  INT32
            I64,  INT64
            BOOL, BOOLEAN
            """;

    @ParameterizedTest
    @CsvSource(textBlock = TYPES)
    void shouldBeReadByDjl(DType dtype, DataType djlType) {
        TensorSpec matrix = new TensorSpec("encoder.weight", dtype, List.of(2L, 3L));
        TensorSpec vector = new TensorSpec("bias", dtype, List.of(4L));
        TensorLayout layout = TensorLayout.inOrder(List.of(matrix, vector));
        byte[] data = data(layout.byteLength());
        ByteBuffer file = Safetensors.encode(new TensorSet(layout, ByteBuffer.wrap(data), Map.of("format", "pt")));

        try (NDManager manager = NDManager.newBaseManager("PyTorch")) {
            NDList read = NDList.decode(manager, file.array());
            assertThat(read).extracting(NDArray::getName).containsExactly("encoder.weight", "bias");
            assertThat(read).extracting(NDArray::getDataType).containsOnly(djlType);
            assertThat(read.get(0).getShape()).isEqualTo(new Shape(2, 3));
            assertThat(read.get(1).getShape()).isEqualTo(new Shape(4));
            assertThat(concatenated(read, data.length)).isEqualTo(data);
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = TYPES)
    void shouldReadWhatDjlWrites(DType dtype, DataType djlType) throws SafetensorsException {
        try (NDManager manager = NDManager.newBaseManager("PyTorch")) {
            NDArray matrix = manager.create(ByteBuffer.wrap(data(6L * dtype.bytes())), new Shape(2, 3), djlType);
            NDArray vector = manager.create(ByteBuffer.wrap(data(4L * dtype.bytes())), new Shape(4), djlType);
            matrix.setName("weight");
            vector.setName("bias");
            NDList list = new NDList(matrix, vector);

            TensorSet set = Safetensors.decode(ByteBuffer.wrap(list.encode(NDList.Encoding.SAFETENSORS)));

            assertThat(set.layout().specs())
                    .containsExactlyInAnyOrder(
                            new TensorSpec("weight", dtype, List.of(2L, 3L)),
                            new TensorSpec("bias", dtype, List.of(4L)));
            assertThat(set.bytes("weight")).contains(ByteBuffer.wrap(data(6L * dtype.bytes())));
            assertThat(set.bytes("bias")).contains(ByteBuffer.wrap(data(4L * dtype.bytes())));
        }
    }

    /** Bytes of 0 and 1 only, so that they are values of every type, booleans too. */
    private static byte[] data(long length) {
        byte[] data = new byte[Math.toIntExact(length)];
        IntStream.range(0, data.length).forEach(i -> data[i] = (byte) (i * 5 / 3 & 1));
        return data;
    }

    private static byte[] concatenated(NDList list, int length) {
        ByteBuffer all = ByteBuffer.allocate(length);
        list.forEach(array -> all.put(array.toByteBuffer()));
        assertThat(all.hasRemaining()).isFalse();
        return all.array();
    }
}
