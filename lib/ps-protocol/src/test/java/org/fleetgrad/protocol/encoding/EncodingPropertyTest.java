package org.fleetgrad.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.protocol.tensor.TensorSet;

class EncodingPropertyTest {

    @Provide
    Arbitrary<float[]> values() {
        Arbitrary<Float> ordinary = Arbitraries.floats().between(-2f, 2f).ofScale(5);
        Arbitrary<Float> any = Arbitraries.floats().between(-3e38f, 3e38f);
        Arbitrary<Float> odd = Arbitraries.of(0f, -0f, Float.MIN_VALUE, -Float.MIN_NORMAL, 1e-40f, 0.5f, -0.5f, 0.01f);
        return Arbitraries.frequencyOf(Tuple.of(8, ordinary), Tuple.of(1, any), Tuple.of(3, odd))
                .array(float[].class)
                .ofSize(Wire.COUNT);
    }

    @Property(tries = 100)
    void shouldLeaveExactlyWhatItDidNotSend(@ForAll("values") float[] values) throws EncodingException {
        for (Encoding encoding : Wire.encodings().toList()) {
            float[] lost = values.clone();
            float[] read = Wire.decode(encoding, Wire.LAYOUT, Wire.encode(encoding, Wire.LAYOUT, lost));
            for (int i = 0; i < values.length; i++) {
                assertThat(lost[i]).as("%s %d", encoding.text(), i).isEqualTo(values[i] - read[i], within(0f));
            }
        }
    }

    @Property(tries = 50)
    void shouldMakeSameBytesOfSameValues(@ForAll("values") float[] values) {
        for (Encoding encoding : Wire.encodings().toList()) {
            TensorSet one = Wire.encode(encoding, Wire.LAYOUT, values.clone());
            TensorSet other = Wire.encode(encoding, Wire.LAYOUT, values.clone());
            assertThat(one.data()).as(encoding.text()).isEqualTo(other.data());
        }
    }

    @Property(tries = 100)
    void shouldBeWithinHalfTheScaleWhenEightBits(@ForAll("values") float[] values) throws EncodingException {
        Int8 encoding = new Int8(16);
        float[] read =
                Wire.decode(encoding, Wire.of(Wire.COUNT), Wire.encode(encoding, Wire.of(Wire.COUNT), values.clone()));
        for (int from = 0; from < values.length; from += 16) {
            int to = Math.min(values.length, from + 16);
            double largest = IntStream.range(from, to)
                    .mapToDouble(i -> Math.abs(values[i]))
                    .max()
                    .orElseThrow();
            double scale = largest / 127;
            for (int i = from; i < to; i++) {
                double bound = scale < Float.MIN_NORMAL ? largest : scale / 2 + largest * 0x1p-23;
                assertThat(Math.abs((double) values[i] - read[i]))
                        .as("value %d", i)
                        .isLessThanOrEqualTo(bound);
            }
        }
    }

    @Property(tries = 200)
    void shouldPickWhatASortPicks(@ForAll("values") float[] values, @ForAll @IntRange(min = 1, max = 100) int percent) {
        TopK encoding = new TopK(percent / 100.0);
        int kept = Math.max(1, (int) Math.floor(encoding.ratio() * values.length));
        List<Integer> largest = IntStream.range(0, values.length)
                .boxed()
                .sorted(Comparator.comparing((Integer i) -> -Math.abs(values[i])))
                .limit(kept)
                .sorted()
                .toList();

        TensorSet wire = Wire.encode(encoding, Wire.of(Wire.COUNT), values.clone());

        int[] indices = new int[kept];
        wire.bytes("t:index").orElseThrow().asIntBuffer().get(indices);
        assertThat(Arrays.stream(indices).boxed().toList()).isEqualTo(largest);
    }

    @Property(tries = 50)
    void shouldNotChangeABitWhenEverythingIsSent(@ForAll("values") float[] values) throws EncodingException {
        for (Encoding encoding : List.of(new Float32(), new TopK(1), new Rows())) {
            float[] lost = values.clone();
            float[] read = Wire.decode(encoding, Wire.LAYOUT, Wire.encode(encoding, Wire.LAYOUT, lost));

            assertThat(Wire.bits(read)).isEqualTo(Wire.bits(values));
            assertThat(Wire.bits(lost)).containsOnly(Float.floatToRawIntBits(-0f));
        }
    }
}
