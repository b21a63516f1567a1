package org.fleetgrad.pipeline.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.FloatBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import org.fleetgrad.pipeline.frame.Frame.Direction;
import org.junit.jupiter.api.Test;

class FrameTest {

    private static final FrameTensor TENSOR = FrameTensor.of("activation", new float[] {1, 2, 3, 4, 5, 6}, 3, 2);

    @Test
    void shouldGiveEachReaderItsOwnPosition() {
        FloatBuffer one = TENSOR.values();
        one.get();

        assertThat(TENSOR.values().get()).isEqualTo(1);
        assertThat(TENSOR.toArray()).containsExactly(1, 2, 3, 4, 5, 6);
        assertThatExceptionOfType(ReadOnlyBufferException.class)
                .isThrownBy(() -> TENSOR.values().put(0, 9));
    }

    @Test
    void shouldCountBytes() {
        assertThat(new Frame(Direction.FORWARD, 0, List.of(TENSOR, TENSOR)).bytes())
                .isEqualTo(48);
    }

    @Test
    void shouldRefuseShapeThatDoesNotFitValues() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FrameTensor.of("activation", new float[5], 3, 2))
                .withMessage("tensor 'activation' of shape [3, 2] has 6 values, there are 5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Frame(Direction.BACKWARD, 7, List.of()))
                .withMessageContaining("micro-batch 7");
    }

    @Test
    void shouldNotGuessWhichOfSeveralTensorsIsMeant() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(new Frame(Direction.FORWARD, 3, List.of(TENSOR, TENSOR))::tensor)
                .withMessageContaining("2 tensors");
    }
}
