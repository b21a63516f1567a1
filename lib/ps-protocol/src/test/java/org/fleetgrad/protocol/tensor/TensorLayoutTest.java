package org.fleetgrad.protocol.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.fleetgrad.protocol.tensor.TensorSpec.f32;

import java.util.List;
import org.junit.jupiter.api.Test;

class TensorLayoutTest {

    private static final TensorSpec WEIGHT = f32("fc1.weight", 4, 3);
    private static final TensorSpec BIAS = f32("fc1.bias", 4);
    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(WEIGHT, BIAS));

    @Test
    void shouldSortByNameWhereCanonical() {
        assertThat(LAYOUT.specs()).containsExactly(BIAS, WEIGHT);
        assertThat(LAYOUT).isEqualTo(TensorLayout.canonical(List.of(BIAS, WEIGHT)));
        assertThat(LAYOUT).isNotEqualTo(TensorLayout.inOrder(List.of(WEIGHT, BIAS)));
    }

    @Test
    void shouldLayTensorsOutWithoutGaps() {
        assertThat(LAYOUT.byteOffset(0)).isZero();
        assertThat(LAYOUT.byteOffset(1)).isEqualTo(16);
        assertThat(LAYOUT.byteLength()).isEqualTo(64);
        assertThat(LAYOUT.elementCount()).isEqualTo(16);
        assertThat(LAYOUT.indexOf("fc1.weight")).contains(1);
        assertThat(LAYOUT.indexOf("fc2.weight")).isEmpty();
    }

    @Test
    void shouldRejectNameThatStandsTwice() {
        assertThatThrownBy(() -> TensorLayout.inOrder(List.of(BIAS, WEIGHT, BIAS)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tensor 'fc1.bias' is laid out twice");
    }

    @Test
    void shouldRejectBytesThatOverflowTogether() {
        TensorSpec half = new TensorSpec("half", DType.U8, List.of(1L << 62));
        TensorSpec rest = new TensorSpec("rest", DType.U8, List.of(1L << 62));
        assertThatThrownBy(() -> TensorLayout.inOrder(List.of(half, rest)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "tensor 'rest' of 4611686018427387904 bytes at byte 4611686018427387904 ends beyond 2^63-1");
    }

    @Test
    void shouldKnowWhetherAllIsFloat32() {
        assertThat(LAYOUT.isAllFloat32()).isTrue();
        assertThat(TensorLayout.inOrder(List.of(BIAS, new TensorSpec("steps", DType.I64, List.of())))
                        .isAllFloat32())
                .isFalse();
    }

    @Test
    void shouldFindNoDifferenceInAnotherOrder() {
        assertThat(LAYOUT.firstDifference(TensorLayout.inOrder(List.of(WEIGHT, BIAS))))
                .isEmpty();
    }

    @Test
    void shouldNameTensorThatIsMissing() {
        assertDifference(
                "fc1.weight",
                "tensor 'fc1.weight' of shape [4, 3] is missing; the parameter set has 2 tensors, this has 1",
                BIAS);
    }

    @Test
    void shouldNameTensorOfAnotherType() {
        assertDifference(
                "fc1.bias",
                "tensor 'fc1.bias' is of type F16, the parameter set has F32",
                WEIGHT,
                new TensorSpec("fc1.bias", DType.F16, List.of(4L)));
    }

    @Test
    void shouldNameTensorOfAnotherShape() {
        assertDifference(
                "fc1.weight",
                "tensor 'fc1.weight' has shape [3, 4] (12 values), the parameter set has [4, 3] (12 values)",
                BIAS,
                f32("fc1.weight", 3, 4));
    }

    @Test
    void shouldNameTensorThatIsTooMany() {
        assertDifference(
                "fc2.bias",
                "tensor 'fc2.bias' is not in the parameter set, which has 2 tensors",
                BIAS,
                WEIGHT,
                f32("fc2.bias", 1));
    }

    @Test
    void shouldNameTensorThatIsMissingBeforeOneThatIsTooMany() {
        assertDifference(
                "fc1.weight",
                "tensor 'fc1.weight' of shape [4, 3] is missing; the parameter set has 2 tensors, this has 2",
                f32("added", 1),
                BIAS);
    }

    @Test
    void shouldNotCarryStrangersLineBreaksIntoMessages() {
        TensorLayout other = TensorLayout.inOrder(List.of(BIAS, WEIGHT, f32("a\nb" + "c".repeat(10_000))));
        assertThat(LAYOUT.firstDifference(other).orElseThrow().message())
                .startsWith("tensor 'a\uFFFDbc")
                .hasSizeLessThan(500);
    }

    private static void assertDifference(String tensor, String message, TensorSpec... other) {
        assertThat(LAYOUT.firstDifference(TensorLayout.inOrder(List.of(other))))
                .contains(new TensorLayout.LayoutDifference(tensor, message));
    }
}
