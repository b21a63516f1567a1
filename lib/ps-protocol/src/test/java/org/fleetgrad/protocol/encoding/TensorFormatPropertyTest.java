package org.fleetgrad.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;

class TensorFormatPropertyTest {

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(
            TensorSpec.f32("bn.bias", 7),
            TensorSpec.f32("bn.running_mean", 7),
            TensorSpec.f32("bn.running_var", 7),
            TensorSpec.f32("conv.weight", 7, 3, 5),
            TensorSpec.f32("fc.weight", 40)));
    private static final ParameterState STATE = ParameterState.of(List.of("bn.running_mean", "bn.running_var"), 0.1f);
    private static final int STATE_BEGIN = 7;
    private static final int STATE_END = 21;

    @Property(tries = 50)
    void shouldCarryTheStateBitForBitAndTheRestAsItsEncodingDoes(@ForAll long seed) throws EncodingException {
        float[] values = values(seed);
        for (Encoding encoding : Wire.encodings().toList()) {
            TensorFormat format = new TensorFormat(encoding, LAYOUT, STATE);
            float[] lost = values.clone();
            float[] read = new float[values.length];
            format.decode(encode(format, lost), read);
            for (int i = 0; i < values.length; i++) {
                if (i >= STATE_BEGIN && i < STATE_END) {
                    assertThat(read[i]).as("%s, %d", encoding, i).isEqualTo(values[i]);
                    assertThat(Float.floatToRawIntBits(lost[i])).isEqualTo(Float.floatToRawIntBits(-0f));
                }
            }
            TensorLayout others = TensorLayout.inOrder(LAYOUT.specs().stream()
                    .filter(spec -> !STATE.has(spec.name()))
                    .toList());
            float[] without = others(values);
            float[] readWithout = Wire.decode(encoding, others, Wire.encode(encoding, others, without));
            assertThat(Wire.bits(others(read))).as("%s", encoding).isEqualTo(Wire.bits(readWithout));
            assertThat(Wire.bits(others(lost))).as("%s", encoding).isEqualTo(Wire.bits(without));
        }
    }

    @Property(tries = 20)
    void shouldFindTheFormatOfWhatCameOverTheWire(@ForAll long seed) throws EncodingException {
        for (String name : Encodings.OF_PARAMETERS) {
            ParameterEncoding encoding = Encodings.parseOfParameters(name);
            TensorFormat format = new TensorFormat(encoding, LAYOUT, STATE);
            TensorSet wire = encode(format, values(seed));
            TensorFormat found = TensorFormat.ofWire(encoding, wire.layout(), STATE);
            assertThat(found.layout()).isEqualTo(LAYOUT);
            assertThat(found).isEqualTo(format);
        }
    }

    @Test
    void shouldRefuseStateThatCameEncoded() {
        TensorLayout wire = new BFloat16().wireLayout(LAYOUT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TensorFormat.ofWire(new BFloat16(), wire, STATE))
                .withMessageContaining("bn.running_mean");
        assertThat(new TensorFormat(new BFloat16(), LAYOUT, STATE)
                        .difference(wire)
                        .orElseThrow()
                        .message())
                .isEqualTo("tensor 'bn.running_mean' is of type BF16, the parameter set encoded as bf16 has F32");
    }

    private static TensorSet encode(TensorFormat format, float[] values) {
        ByteBuffer wire =
                ByteBuffer.allocate((int) format.wireLayout().byteLength()).order(ByteOrder.LITTLE_ENDIAN);
        format.encode(values, wire);
        assertThat(wire.remaining()).isZero();
        return new TensorSet(format.wireLayout(), wire.flip(), Map.of());
    }

    private static float[] others(float[] values) {
        float[] others = new float[values.length - (STATE_END - STATE_BEGIN)];
        System.arraycopy(values, 0, others, 0, STATE_BEGIN);
        System.arraycopy(values, STATE_END, others, STATE_BEGIN, values.length - STATE_END);
        return others;
    }

    private static float[] values(long seed) {
        Random random = new Random(seed);
        float[] values = new float[(int) LAYOUT.elementCount()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian() * 0.02f;
        }
        return values;
    }
}
