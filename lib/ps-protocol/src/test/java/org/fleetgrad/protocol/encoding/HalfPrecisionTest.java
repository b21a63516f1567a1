package org.fleetgrad.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HalfPrecisionTest {

    private static final float LARGEST_F16 = 65504;
    private static final float LARGEST_BF16 = Float.intBitsToFloat(0x7f7f0000);

    @Test
    void shouldBringEveryFloat16PatternBack() {
        for (int pattern = 0; pattern < 1 << 16; pattern++) {
            float value = Float16.value((short) pattern);
            if (Float.isNaN(value)) {
                assertThat(Float16.value(Float16.bits(value))).isNaN();
            } else {
                assertThat(Float16.bits(value)).as("%04x", pattern).isEqualTo((short) pattern);
            }
        }
    }

    @Test
    void shouldBringEveryBFloat16PatternBack() {
        for (int pattern = 0; pattern < 1 << 16; pattern++) {
            float value = BFloat16.value((short) pattern);
            if (Float.isNaN(value)) {
                assertThat(BFloat16.value(BFloat16.bits(value))).isNaN();
            } else {
                assertThat(BFloat16.bits(value)).as("%04x", pattern).isEqualTo((short) pattern);
            }
        }
    }

    @Test
    void shouldSendNearestValueWhereFloat16Ends() throws EncodingException {
        float[] values = {70_000, -1e30f, 65_519, Float.MAX_VALUE, 1e-9f};

        float[] lost = values.clone();
        float[] read = Wire.decode(new Float16(), Wire.of(5), Wire.encode(new Float16(), Wire.of(5), lost));

        assertThat(read).containsExactly(LARGEST_F16, -LARGEST_F16, LARGEST_F16, LARGEST_F16, 0);
        assertThat(lost[0]).isEqualTo(70_000 - LARGEST_F16);
        assertThat(lost[4]).isEqualTo(1e-9f);
    }

    @Test
    void shouldSendNearestValueWhereBFloat16Ends() throws EncodingException {
        float[] values = {Float.MAX_VALUE, -Float.MAX_VALUE, Float.MIN_VALUE};

        float[] read = Wire.decode(new BFloat16(), Wire.of(3), Wire.encode(new BFloat16(), Wire.of(3), values));

        assertThat(read).containsExactly(LARGEST_BF16, -LARGEST_BF16, 0);
    }
}
