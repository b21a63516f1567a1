package org.fleetgrad.inference.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.fleetgrad.inference.feedback.AnswerIds.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerIdsTest {

    private static final byte[] KEY = new byte[Feedback.KEY_BYTES];

    private final AnswerIds ids = new AnswerIds(KEY);

    @ParameterizedTest
    @ValueSource(longs = {0, 127, 128, 1L << 40, Long.MAX_VALUE})
    void shouldReadWhatItWrote(long number) {
        assertSame(new Answer(true, number, number, new double[] {0, 127, 128, Integer.MAX_VALUE}));
        assertSame(new Answer(false, number, number, new double[] {-1.5, 1e-300, 0, 812.5}));
    }

    private void assertSame(Answer answer) {
        Answer read = ids.read(ids.write(answer)).orElseThrow();

        assertThat(read.isOfClasses()).isEqualTo(answer.isOfClasses());
        assertThat(read.slot()).isEqualTo(answer.slot());
        assertThat(read.first()).isEqualTo(answer.first());
        assertThat(read.predicted()).isEqualTo(answer.predicted());
    }

    @Test
    void shouldBeShortAndFitEveryUrl() {
        assertThat(ids.write(new Answer(true, 4_095, 1_000_000_000, new double[] {9})))
                .matches("[A-Za-z0-9_-]{20,28}");
    }

    /** Each bit of an id is under its code, so a client cannot make another answer of it. */
    @Test
    void shouldReadNoIdOfWhichAnyBitWasChanged() {
        byte[] id = Base64.getUrlDecoder().decode(ids.write(new Answer(true, 3, 70, new double[] {7})));

        for (int bit = 0; bit < 8 * id.length; bit++) {
            byte[] forged = id.clone();
            forged[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThat(ids.read(text(forged))).as("bit %d", bit).isEmpty();
        }
        for (int length = 0; length < id.length; length++) {
            assertThat(ids.read(text(Arrays.copyOf(id, length)))).isEmpty();
        }
    }

    @Test
    void shouldReadNoIdOfAnotherKey() {
        byte[] other = KEY.clone();
        other[31] = 1;

        assertThat(new AnswerIds(other).read(ids.write(new Answer(true, 0, 0, new double[] {1}))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "=", "9223372036854775807", "cmpl-1", "ä", "not base64!", "AAAAAAAAAAAAAAAAAAAA"})
    void shouldReadNoOtherText(String text) {
        assertThat(ids.read(text)).isEmpty();
    }

    @Test
    void shouldReadNoRandomBytes() {
        Random random = new Random(1);
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            assertThat(ids.read(text(bytes))).isEmpty();
        }
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
