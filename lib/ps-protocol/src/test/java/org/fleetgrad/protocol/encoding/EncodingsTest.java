package org.fleetgrad.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EncodingsTest {

    @ParameterizedTest
    @CsvSource({
        "f32, f32",
        "f16, f16",
        "bf16, bf16",
        "i8, i8:256",
        "i8:64, i8:64",
        "topk, topk:0.01",
        "topk:0.25, topk:0.25",
        "topk:1, topk:1.0",
        "topk:1e-4, topk:1.0E-4",
        "2bit, 2bit:0.01",
        "2bit:0.5, 2bit:0.5",
        "rows, rows"
    })
    void shouldReadItsOwnText(String text, String canonical) {
        Encoding encoding = Encodings.parse(text);

        assertThat(encoding.text()).isEqualTo(canonical);
        assertThat(Encodings.parse(encoding.text())).isEqualTo(encoding);
        assertThat(Encodings.nameIn(text)).isEqualTo(encoding.name());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "F16",
                "f16:1",
                "f32:",
                "i8:",
                "i8:8",
                "i8:70000",
                "i8:-16",
                "i8:1.5",
                "topk:0",
                "topk:1.01",
                "topk:NaN",
                "topk:x",
                "topk:0x1",
                "2bit:0",
                "2bit:1e-40",
                "2bit:1e39",
                "2bit:-1",
                "zip",
                "rows:4",
                ":1"
            })
    void shouldRefuseWhatIsNoEncoding(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Encodings.parse(text));
    }

    @Test
    void shouldNameWhatThereIs() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Encodings.parse("zip"))
                .withMessage("there is no encoding 'zip'; there are f32, f16, bf16, i8, topk, 2bit, rows");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Encodings.parseOfParameters("topk"))
                .withMessage("parameters travel as f32, f16, bf16, i8; not as 'topk'");
    }

    @Test
    void shouldFindThePlainTensorsInThoseOnTheWire() {
        for (String name : Encodings.OF_PARAMETERS) {
            ParameterEncoding encoding = Encodings.parseOfParameters(name);
            assertThat(encoding.plainLayout(encoding.wireLayout(Wire.LAYOUT))).isEqualTo(Wire.LAYOUT);
        }
    }

    @Test
    void shouldCountBytes() {
        assertThat(Wire.encodings()
                        .map(encoding -> encoding.wireLayout(Wire.LAYOUT).byteLength()))
                // 308 values; blocks of 256: 1 + 0 + 1 + 2, of 16: 1 + 0 + 1 + 19; a hundredth: 1 + 0 + 1 + 3
                .containsExactly(1232L, 616L, 616L, 324L, 392L, 40L, 744L, 2464L, 78L, 78L, 1232L);
    }

    @Test
    void shouldRefuseTensorsWhoseNamesItNeeds() {
        TensorLayout taken = TensorLayout.canonical(List.of(TensorSpec.f32("a", 1), TensorSpec.f32("a:scale", 1)));

        assertThatIllegalArgumentException().isThrownBy(() -> new Int8(256).wireLayout(taken));
        TensorLayout row = TensorLayout.canonical(List.of(TensorSpec.f32("a", 1, 2), TensorSpec.f32("a:row", 1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Rows().wireLayout(row));
    }

    @Test
    void shouldSayWhatIsOtherThanItShouldBe() {
        TensorLayout wire = TensorLayout.inOrder(List.of(
                new TensorSpec("t:index", DType.I32, List.of(3L)), new TensorSpec("t:value", DType.F32, List.of(2L))));

        assertThat(Wire.format(new TopK(0.2), Wire.of(10))
                        .difference(wire)
                        .orElseThrow()
                        .message())
                .isEqualTo("tensor 't:index' has shape [3] (3 values), the parameter set encoded as topk:0.2 has [2]"
                        + " (2 values)");
    }

    @Test
    void shouldPackTwoBitsAsMxnetDoes() throws EncodingException {
        float[] values = {0.5f, -0.5f, 0.4f, 3f, -7f};

        TensorSet wire = Wire.encode(new TwoBit(0.5f), Wire.of(5), values);

        ByteBuffer codes = wire.bytes("t:codes").orElseThrow();
        assertThat(codes).isEqualTo(ByteBuffer.wrap(new byte[] {(byte) 0b11100011, (byte) 0b10000000}));
        assertThat(values).containsExactly(0, 0, 0.4f, 2.5f, -6.5f);
    }

    @Test
    void shouldNotEncodeWhatIsNotFinite() throws EncodingException {
        ErrorFeedback feedback = new ErrorFeedback(Wire.format(new TopK(0.5), Wire.of(4)));
        ErrorFeedback.Encoded unused = feedback.encode(new float[] {1, 2, 3, 4});
        float[] before = feedback.residual();

        assertThatThrownBy(() -> feedback.encode(new float[] {0, 0, Float.NaN, 0}))
                .isInstanceOf(EncodingException.class)
                .hasMessage("value 2 of 4 of tensor 't' is NaN, which does not travel as topk:0.5");
        assertThat(feedback.residual()).containsExactly(before);
    }

    @Test
    void shouldTakeTensorsInAnyOrder() throws EncodingException {
        float[] values = {1, 2, 3};
        TensorSet wire = Wire.encode(new TopK(1), Wire.of(3), values);
        TensorLayout turned = TensorLayout.inOrder(
                List.of(wire.layout().specs().get(1), wire.layout().specs().get(0)));
        ByteBuffer bytes = ByteBuffer.allocate(24)
                .put(wire.bytes("t:value").orElseThrow())
                .put(wire.bytes("t:index").orElseThrow())
                .flip();

        assertThat(Wire.decode(new TopK(1), Wire.of(3), new TensorSet(turned, bytes, Map.of())))
                .containsExactly(1, 2, 3);
    }
}
