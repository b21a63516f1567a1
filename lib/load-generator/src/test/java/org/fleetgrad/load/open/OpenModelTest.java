package org.fleetgrad.load.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.fleetgrad.load.open.OpenModel.Tensor;
import org.junit.jupiter.api.Test;

class OpenModelTest {

    private static final Tensor LOGITS = new Tensor("logits", "FP32", List.of(-1L, 10L));

    private static OpenModel taking(Long... shape) {
        return OpenModel.of("m", List.of(new Tensor("input", "FP32", List.of(shape))), List.of(LOGITS));
    }

    @Test
    void shouldSendImagesInTheShapeThatTheModelTakes() {
        List<Integer> grey = List.of(1, 28, 28);
        assertThat(taking(-1L, 1L, 28L, 28L).shapeOf(8, grey)).containsExactly(8L, 1L, 28L, 28L);
        assertThat(taking(-1L, 28L, 28L, 1L).shapeOf(8, grey)).containsExactly(8L, 28L, 28L, 1L);
        assertThat(taking(-1L, 784L).shapeOf(1, grey)).containsExactly(1L, 784L);
        assertThat(taking(4L, 784L).shapeOf(4, grey)).containsExactly(4L, 784L);
        assertThat(taking(-1L, 3L, 32L, 32L).shapeOf(2, List.of(3, 32, 32))).containsExactly(2L, 3L, 32L, 32L);
    }

    @Test
    void shouldRefuseAModelOfOtherImages() {
        unfit(taking(-1L, 3L, 32L, 32L), List.of(1, 28, 28));
        // The same number of values, in another order.
        unfit(taking(-1L, 32L, 32L, 3L), List.of(3, 32, 32));
        unfit(taking(4L, 1L, 28L, 28L), List.of(1, 28, 28));
        unfit(taking(-1L, -1L, 28L, 28L), List.of(1, 28, 28));
        unfit(taking(-1L, Long.MAX_VALUE, Long.MAX_VALUE), List.of(1, 28, 28));
        unfit(taking(), List.of(1, 28, 28));
    }

    private static void unfit(OpenModel model, List<Integer> image) {
        assertThatThrownBy(() -> model.shapeOf(8, image))
                .hasMessageStartingWith("the input 'input' of the model 'm' has the shape ")
                .hasMessageEndingWith("a request has 8 images of " + image);
    }

    @Test
    void shouldRefuseAModelThatIsNotOfImages() {
        Tensor input = new Tensor("text", "BYTES", List.of(-1L));
        assertThatThrownBy(() -> OpenModel.of("m", List.of(input), List.of(LOGITS)))
                .hasMessage("load sends UINT8 or FP32; the input 'text' of the model 'm' is BYTES");
        assertThatThrownBy(() -> OpenModel.of("m", List.of(LOGITS, LOGITS), List.of(LOGITS)))
                .hasMessageEndingWith("the model 'm' has 2 inputs and 1 outputs");
        assertThatThrownBy(() -> OpenModel.of("m", List.of(LOGITS), List.of(input)))
                .hasMessage("load reads FP32 or FP64; the output 'text' of the model 'm' is BYTES");
    }
}
