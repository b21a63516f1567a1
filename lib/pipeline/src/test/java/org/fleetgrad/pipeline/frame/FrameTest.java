package org.fleetgrad.pipeline.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.FloatBuffer;
import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.Test;

class FrameTest {

    private static final Frame FRAME = Frame.activation(3, new float[] {1, 2, 3, 4, 5, 6}, 3, 2);

    @Test
    void shouldGiveEachReaderItsOwnPosition() {
        FloatBuffer one = FRAME.values();
        one.get();

        assertThat(FRAME.values().get()).isEqualTo(1);
        assertThat(FRAME.toArray()).containsExactly(1, 2, 3, 4, 5, 6);
        assertThatExceptionOfType(ReadOnlyBufferException.class)
                .isThrownBy(() -> FRAME.values().put(0, 9));
    }

    @Test
    void shouldCountBytes() {
        assertThat(FRAME.bytes()).isEqualTo(24);
    }

    @Test
    void shouldRefuseShapeThatDoesNotFitValues() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Frame.gradient(7, new float[5], 3, 2))
                .withMessage("the frame of micro-batch 7 of shape [3, 2] has 6 values, there are 5");
    }
}
