package org.fleetgrad.protocol.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireValuesTest {

    private static final int SIZE = 1_001;

    @ParameterizedTest
    @ValueSource(
            ints = {
                0x7f800000,
                0xff800000,
                0x7fc00000,
                0xffc00000,
                0x7f800001,
                0xffffffff,
                0x4f800000,
                0xcf800000,
                0x4f800001,
                0x7f7fffff
            })
    void shouldFindOneThatIsNotFiniteOrTooLargeWhereverItIs(int bits) {
        for (int place : new int[] {0, 1, 2, 499, SIZE - 2, SIZE - 1}) {
            float[] values = finite();
            ByteBuffer bytes = bytes(values);
            // As bits: a signalling NaN may be changed on its way through a float.
            bytes.putInt(place * Float.BYTES, bits);
            values[place] = Float.intBitsToFloat(bits);

            assertThat(WireValues.areAllowed(values))
                    .as("in an array, at %d", place)
                    .isFalse();
            assertThat(WireValues.areAllowed(bytes, SIZE))
                    .as("in bytes, at %d", place)
                    .isFalse();
            assertThat(WireValues.areAllowed(bytes, place))
                    .as("before %d", place)
                    .isTrue();
        }
    }

    @Test
    void shouldTakeEveryFiniteValueBelowTheLimit() {
        float[] extremes = {
            0,
            -0f,
            Math.nextDown(0x1p32f),
            -Math.nextDown(0x1p32f),
            Float.MIN_VALUE,
            -Float.MIN_VALUE,
            Float.MIN_NORMAL,
            1,
            -1
        };

        assertThat(WireValues.areAllowed(extremes)).isTrue();
        assertThat(WireValues.areAllowed(bytes(extremes), extremes.length)).isTrue();
        assertThat(WireValues.areAllowed(finite())).isTrue();
        assertThat(WireValues.areAllowed(bytes(finite()), SIZE)).isTrue();
    }

    private static float[] finite() {
        Random random = new Random(7);
        float[] values = new float[SIZE];
        for (int i = 0; i < SIZE; i++) {
            float any = Float.intBitsToFloat(random.nextInt());
            values[i] = Math.abs(any) < 0x1p32f ? any : 1;
        }
        return values;
    }

    private static ByteBuffer bytes(float[] values) {
        ByteBuffer bytes =
                ByteBuffer.allocateDirect(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return bytes;
    }
}
