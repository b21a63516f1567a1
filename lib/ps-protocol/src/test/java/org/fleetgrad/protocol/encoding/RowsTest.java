package org.fleetgrad.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowsTest {

    private static final TensorSpec MATRIX = TensorSpec.f32("t", 10, 4);

    /** The matrix's values 6 to 29: rows 1 to 7, of which the first and the last are incomplete. */
    private static final TensorSpec PIECE = MATRIX.piece(6, 30);

    private static TensorLayout one(TensorSpec spec) {
        return TensorLayout.inOrder(List.of(spec));
    }

    @Test
    void shouldSendTheRowsThatAreNotZero() {
        float[] values = new float[40];
        values[9] = 5;
        values[30] = -0f;

        TensorSet wire = Wire.encode(new Rows(), one(MATRIX), values);

        assertThat(wire.layout().specs())
                .containsExactly(new TensorSpec("t:row", DType.I32, List.of(2L)), TensorSpec.f32("t:value", 2, 4));
        assertThat(wire.data())
                .isEqualTo(ints(2, 7, 0, Float.floatToRawIntBits(5), 0, 0, 0, 0, Float.floatToRawIntBits(-0f), 0));
    }

    @Test
    void shouldSendNoRowWhenAllAreZero() {
        assertThat(Wire.encode(new Rows(), one(MATRIX), new float[40]).layout().byteLength())
                .isZero();
    }

    /** 8 of 10 rows of 4 values take 8 · 20 bytes, as many as all 40 values. */
    @ParameterizedTest
    @CsvSource({"7, 140", "8, 160", "10, 160"})
    void shouldSendAllValuesWhenRowsTakeNoFewerBytes(int rows, long bytes) {
        float[] values = new float[40];
        for (int row = 0; row < rows; row++) {
            values[4 * row] = 1;
        }

        TensorLayout wire = Wire.encode(new Rows(), one(MATRIX), values).layout();

        assertThat(wire.byteLength()).isEqualTo(bytes);
        assertThat(wire.indexOf("t").isPresent()).isEqualTo(rows > 7);
    }

    @Test
    void shouldSendAPiecesRowsByTheirNumbersInTheMatrix() {
        float[] values = new float[24];
        values[0] = 5;
        values[23] = 6;

        TensorSet wire = Wire.encode(new Rows().forPiecesOf(one(MATRIX)), one(PIECE), values);

        assertThat(wire.layout().specs().get(0).name()).isEqualTo("t[6:30]:row");
        int five = Float.floatToRawIntBits(5);
        int six = Float.floatToRawIntBits(6);
        assertThat(wire.data()).isEqualTo(ints(1, 7, 0, 0, five, 0, 0, six, 0, 0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 2 9 | none",
                "0 3 2 | row number 2 of tensor 't' is 2, not above the one before it, which is 3",
                "3 3 4 | row number 1 of tensor 't' is 3, not above the one before it, which is 3",
                "-1 0 1 | row number 0 of tensor 't' is -1, not from 0 to 9",
                "7 8 10 | row number 2 of tensor 't' is 10, not from 0 to 9",
                "2147483647 8 9 | row number 0 of tensor 't' is 2147483647, not from 0 to 9"
            })
    void shouldRefuseNumbersOfRows(String rows, String problem) throws EncodingException {
        ByteBuffer bytes = ByteBuffer.allocate(60).order(ByteOrder.LITTLE_ENDIAN);
        for (String row : rows.split(" ")) {
            bytes.putInt(Integer.parseInt(row));
        }
        check(one(MATRIX), wire("t", 3, 3, 4), bytes.clear(), problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 7 | 0 0 1 1 1 1 0 0 | none",
                "0 7 | 0 0 1 1 1 1 0 0 | row number 0 of tensor 't[6:30]' is 0, not from 1 to 7",
                "1 8 | 0 0 1 1 1 1 0 0 | row number 1 of tensor 't[6:30]' is 8, not from 1 to 7",
                "1 7 | 0 2 1 1 1 1 0 0 | row 1 of tensor 't[6:30]' has 2.0 where only another partition has values; it must be 0",
                "1 7 | 0 0 1 1 1 1 -0 0 | row 7 of tensor 't[6:30]' has -0.0 where only another partition has values; it must be 0"
            })
    void shouldRefuseWhatAPieceDoesNotHave(String rows, String values, String problem) throws EncodingException {
        ByteBuffer bytes = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
        for (String row : rows.split(" ")) {
            bytes.putInt(Integer.parseInt(row));
        }
        for (String value : values.split(" ")) {
            bytes.putFloat(Float.parseFloat(value));
        }
        check(one(PIECE), wire("t[6:30]", 2, 2, 4), bytes.flip(), problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "11 11 4 | tensor 't:row' has the numbers of 11 rows, tensor 't' of the parameter set encoded as rows has 10",
                "2 3 4 | tensor 't:value' has shape [3, 4] (12 values), the parameter set encoded as rows has [2, 4] (8 values)",
                "2 2 5 | tensor 't:value' has shape [2, 5] (10 values), the parameter set encoded as rows has [2, 4] (8 values)"
            })
    void shouldRefuseCountsThatDoNotFit(String counts, String problem) {
        String[] numbers = counts.split(" ");
        TensorLayout wire =
                wire("t", Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));

        assertThat(Wire.format(new Rows(), one(MATRIX))
                        .difference(wire)
                        .orElseThrow()
                        .message())
                .isEqualTo(problem);
    }

    @Test
    void shouldRefuseATensorTwiceOrRowsOfAVector() {
        TensorLayout both = TensorLayout.inOrder(List.of(MATRIX, new TensorSpec("t:row", DType.I32, List.of(0L))));
        assertThat(Wire.format(new Rows(), one(MATRIX)).difference(both)).isPresent();
        assertThat(Wire.format(new Rows(), Wire.of(10)).difference(wire("t", 1, 1, 1)))
                .isPresent();
        assertThat(Wire.format(new Rows(), one(PIECE)).difference(wire("t[6:30]", 1, 1, 0)))
                .isPresent();
    }

    private static TensorLayout wire(String tensor, long numbers, long rows, long width) {
        return TensorLayout.inOrder(List.of(
                new TensorSpec(tensor + ":row", DType.I32, List.of(numbers)),
                TensorSpec.f32(tensor + ":value", rows, width)));
    }

    private static ByteBuffer ints(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(values);
        return bytes;
    }

    private static void check(TensorLayout layout, TensorLayout wireLayout, ByteBuffer bytes, String problem)
            throws EncodingException {
        assertThat(Wire.format(new Rows(), layout).difference(wireLayout)).isEmpty();
        TensorSet wire = new TensorSet(wireLayout, bytes, Map.of());
        if (problem.equals("none")) {
            float[] unused = Wire.decode(new Rows(), layout, wire);
        } else {
            assertThatThrownBy(() -> Wire.decode(new Rows(), layout, wire))
                    .isInstanceOf(EncodingException.class)
                    .hasMessage(problem);
        }
    }
}
