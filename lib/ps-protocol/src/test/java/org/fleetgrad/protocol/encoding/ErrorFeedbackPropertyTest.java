package org.fleetgrad.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.protocol.tensor.TensorSet;

/** The sum of what was sent, and what is left, is the sum of the gradients. */
class ErrorFeedbackPropertyTest {

    @Property(tries = 30)
    void shouldTelescope(@ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int rounds) throws EncodingException {
        for (Encoding encoding : Wire.encodings().toList()) {
            Random random = new Random(seed);
            ErrorFeedback feedback = new ErrorFeedback(Wire.format(encoding, Wire.LAYOUT));
            double[] given = new double[Wire.COUNT];
            double[] sent = new double[Wire.COUNT];
            double[] size = new double[Wire.COUNT];
            for (int round = 0; round < rounds; round++) {
                float[] gradient = gradient(random);
                float[] decoded = send(encoding, feedback, gradient);
                for (int i = 0; i < Wire.COUNT; i++) {
                    given[i] += gradient[i];
                    sent[i] += decoded[i];
                    size[i] += Math.abs(gradient[i]);
                }
            }
            float[] left = feedback.residual();
            for (int i = 0; i < Wire.COUNT; i++) {
                assertThat(Math.abs(sent[i] + left[i] - given[i]))
                        .as("%s, value %d", encoding.text(), i)
                        .isLessThanOrEqualTo(1e-5 * size[i]);
            }
        }
    }

    @Property(tries = 30)
    void shouldTelescopeExactlyWhenTwoBitsAndThresholdIsAPowerOfTwo(@ForAll long seed) throws EncodingException {
        Random random = new Random(seed);
        TwoBit encoding = new TwoBit(0.5f);
        ErrorFeedback feedback = new ErrorFeedback(Wire.format(encoding, Wire.LAYOUT));
        float[] given = new float[Wire.COUNT];
        float[] sent = new float[Wire.COUNT];
        for (int round = 0; round < 40; round++) {
            // Multiples of 2^-8 below 2: neither they nor any of their sums here is rounded.
            float[] gradient = new float[Wire.COUNT];
            for (int i = 0; i < gradient.length; i++) {
                gradient[i] = (random.nextInt(1024) - 512) / 256f;
                given[i] += gradient[i];
            }
            float[] decoded = send(encoding, feedback, gradient);
            for (int i = 0; i < sent.length; i++) {
                sent[i] += decoded[i];
            }
        }
        float[] left = feedback.residual();
        for (int i = 0; i < Wire.COUNT; i++) {
            assertThat(sent[i] + left[i]).isEqualTo(given[i]);
        }
    }

    @Property(tries = 30)
    void shouldBeNoCompressionToTheBitWhenTopKSendsAll(@ForAll long seed) throws EncodingException {
        Random random = new Random(seed);
        ErrorFeedback all = new ErrorFeedback(Wire.format(new TopK(1), Wire.LAYOUT));
        for (int round = 0; round < 5; round++) {
            float[] gradient = gradient(random);
            gradient[round] = -0f;
            gradient[round + 10] = 0f;

            assertThat(Wire.bits(send(new TopK(1), all, gradient))).isEqualTo(Wire.bits(gradient));
            assertThat(Wire.bits(all.residual())).containsOnly(Float.floatToRawIntBits(-0f));
        }
    }

    @Property(tries = 30)
    void shouldGoOnAsIfItHadNotBeenWhenAGradientIsTakenBack(@ForAll long seed) throws EncodingException {
        for (Encoding encoding : Wire.encodings().toList()) {
            Random random = new Random(seed);
            ErrorFeedback never = new ErrorFeedback(Wire.format(encoding, Wire.LAYOUT));
            ErrorFeedback dropped = new ErrorFeedback(Wire.format(encoding, Wire.LAYOUT));
            for (int round = 0; round < 5; round++) {
                float[] lost = gradient(random);
                float[] next = gradient(random);
                ErrorFeedback.Encoded unused = dropped.encode(lost);
                dropped.revert();

                assertThat(dropped.encode(next).bytes())
                        .as(encoding.text())
                        .isEqualTo(never.encode(next).bytes());
            }
            assertThat(Wire.bits(dropped.residual())).isEqualTo(Wire.bits(never.residual()));
        }
    }

    private static float[] send(Encoding encoding, ErrorFeedback feedback, float[] gradient) throws EncodingException {
        float[] before = gradient.clone();
        ErrorFeedback.Encoded encoded = feedback.encode(gradient);
        TensorSet wire = new TensorSet(encoded.layout(), encoded.bytes(), Map.of());
        assertThat(gradient).containsExactly(before);
        return Wire.decode(encoding, Wire.LAYOUT, wire);
    }

    private static float[] gradient(Random random) {
        float[] gradient = new float[Wire.COUNT];
        for (int i = 0; i < gradient.length; i++) {
            gradient[i] = (float) (random.nextGaussian() * Math.pow(10, random.nextInt(4) - 3));
        }
        return gradient;
    }
}
