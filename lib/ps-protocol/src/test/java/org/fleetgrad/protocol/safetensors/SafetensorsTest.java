package org.fleetgrad.protocol.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.fleetgrad.protocol.tensor.TensorSpec.f32;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SafetensorsTest {

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(f32("b", 1), f32("a", 1, 1)));

    @Test
    void shouldWriteLengthThenPaddedHeaderThenData() {
        ByteBuffer file =
                Safetensors.encode(TensorSet.ofFloats(LAYOUT, new float[] {1, -2}, Map.of("version", "7", "by", "x")));

        String header = "{\"__metadata__\":{\"by\":\"x\",\"version\":\"7\"},"
                + "\"a\":{\"dtype\":\"F32\",\"shape\":[1,1],\"data_offsets\":[0,4]},"
                + "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}";
        int padded = (header.length() + 7) / 8 * 8;
        ByteBuffer expected = RawFile.of(header + " ".repeat(padded - header.length()), 8);
        expected.putFloat(8 + padded, 1).putFloat(12 + padded, -2);
        assertThat(file).isEqualTo(expected);
    }

    @Test
    void shouldWriteNoMetadataWhereThereIsNone() {
        ByteBuffer file =
                Safetensors.encode(TensorSet.ofFloats(TensorLayout.inOrder(List.of()), new float[0], Map.of()));
        assertThat(file).isEqualTo(RawFile.of("{}      ", 0));
    }

    @Test
    void shouldReadKeysInAnyOrderAndWhitespaceWhereJsonHasIt() throws SafetensorsException {
        TensorSet set = Safetensors.decode(RawFile.of("""
                { "t" :\t{ "data_offsets" : [ 0 , 4 ] ,\r "shape" : [ ] , "dtype" : "F32" } ,
                  "__metadata__" : { } }  \n""", 4));
        assertThat(set.layout()).isEqualTo(TensorLayout.inOrder(List.of(f32("t"))));
        assertThat(set.metadata()).isEmpty();
    }

    @Test
    void shouldReadEscapes() throws SafetensorsException {
        TensorSet set = Safetensors.decode(RawFile.of(
                "{\"__metadata__\":{\"\\\"\\\\\\/\\b\\f\\n\\r\\t\":\"\\u0041\\u00e9\\u00C9\\ud83d\\ude42\"}}", 0));
        assertThat(set.metadata()).containsExactly(Map.entry("\"\\/\b\f\n\r\t", "AéÉ🙂"));
    }

    @Test
    void shouldOrderTensorsByWhereTheyLie() throws SafetensorsException {
        TensorSet set = Safetensors.decode(RawFile.of(
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]},"
                        + "\"e\":{\"dtype\":\"F32\",\"shape\":[0,9],\"data_offsets\":[4,4]},"
                        + "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
                8));
        assertThat(set.layout().specs()).extracting(TensorSpec::name).containsExactly("b", "e", "a");
    }

    @Test
    void shouldNotCopyData() throws SafetensorsException {
        ByteBuffer file = Safetensors.encode(TensorSet.ofFloats(LAYOUT, new float[] {1, 2}, Map.of()));
        TensorSet set = Safetensors.decode(file);
        file.putFloat(file.limit() - 4, 9);
        assertThat(set.toFloats(LAYOUT)).containsExactly(1, 9);
        assertThat(file.position()).isZero();
    }

    @Test
    void shouldRefuseToWriteTensorNamedAsMetadata() {
        TensorSet set = TensorSet.ofFloats(TensorLayout.inOrder(List.of(f32("__metadata__"))), new float[1], Map.of());
        assertThatThrownBy(() -> Safetensors.encode(set))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no tensor can be named __metadata__");
    }

    @Test
    void shouldRefuseToWriteUnpairedSurrogate() {
        TensorSet set = TensorSet.ofFloats(LAYOUT, new float[2], Map.of("name", "\uD83D"));
        assertThatThrownBy(() -> Safetensors.encode(set))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a name or a metadata text holds an unpaired surrogate, which UTF-8 cannot carry");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, 200, 201, 207, 208, 4096})
    void shouldPadHeaderToTheSizeAskedFor(int minimum) throws SafetensorsException {
        byte[] header = SafetensorsHeader.encode(LAYOUT, Map.of("version", "1"), minimum);
        int unpadded = SafetensorsHeader.encode(LAYOUT, Map.of("version", "1"), 0).length;
        assertThat(header.length).isEqualTo(Math.max(unpadded, (minimum + 7) / 8 * 8));

        ByteBuffer file = ByteBuffer.allocate(header.length + 8).put(header).rewind();
        assertThat(Safetensors.decode(file).layout()).isEqualTo(LAYOUT);
    }

    @Test
    void shouldAcceptHeaderOfExactlyTheLimit() throws SafetensorsException {
        ByteBuffer file = RawFile.of("{" + " ".repeat(62) + "}", 0);
        assertThat(Safetensors.decode(file, new SafetensorsLimits(64, 72))
                        .layout()
                        .size())
                .isZero();
        assertThatThrownBy(() -> Safetensors.decode(file, new SafetensorsLimits(63, 72)))
                .hasMessage("the header states 64 bytes, accepted are 63");
    }

    @Test
    void shouldRejectLimitsThatAcceptNothing() {
        assertThatThrownBy(() -> new SafetensorsLimits(0, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limits must be positive: header 0, body -1");
    }

    @Test
    void shouldWriteTextAsUtf8() {
        byte[] header = SafetensorsHeader.encode(TensorLayout.inOrder(List.of()), Map.of("🙂", "\u0001é\u007F"), 0);
        assertThat(new String(header, 8, header.length - 8, StandardCharsets.UTF_8).strip())
                .isEqualTo("{\"__metadata__\":{\"🙂\":\"\\u0001é\u007F\"}}");
    }
}
