package org.fleetgrad.protocol.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TensorSpecTest {

    @Test
    void shouldMultiplyDimensions() {
        TensorSpec spec = TensorSpec.f32("conv2.weight", 16, 6, 5, 5);
        assertThat(spec.elementCount()).isEqualTo(2400);
        assertThat(spec.byteLength()).isEqualTo(9600);
    }

    @Test
    void shouldCountScalarAsOneAndEmptyAsNone() {
        assertThat(TensorSpec.f32("scalar").elementCount()).isEqualTo(1);
        assertThat(TensorSpec.f32("empty", 3, 0, 2).elementCount()).isZero();
    }

    @Test
    void shouldCopyShape() {
        List<Long> shape = new ArrayList<>(List.of(2L));
        TensorSpec spec = new TensorSpec("t", DType.F32, shape);
        shape.set(0, 3L);
        assertThat(spec.shape()).containsExactly(2L);
    }

    @Test
    void shouldRejectEmptyNameAndNegativeDimension() {
        assertThatThrownBy(() -> TensorSpec.f32("", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a tensor needs a name");
        assertThatThrownBy(() -> TensorSpec.f32("t", 2, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tensor 't' has a negative dimension: [2, -1]");
    }

    @Test
    void shouldRejectSizeThatOverflows() {
        assertThatThrownBy(() -> TensorSpec.f32("t", 1L << 62, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tensor 't' of type F32 and shape [4611686018427387904, 4] has more bytes than a 63-bit"
                        + " number counts");
    }

    @Test
    void shouldRejectOverflowBesideZeroDimension() {
        assertThatThrownBy(() -> TensorSpec.f32("t", 0, Long.MAX_VALUE, 3))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void shouldFindTypeByItsName(DType dtype) {
        assertThat(DType.named(dtype.name())).contains(dtype);
        assertThat(new TensorSpec("t", dtype, List.of(3L)).byteLength()).isEqualTo(3L * dtype.bytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"f32", "F32 ", "FLOAT32", "F4", ""})
    void shouldNotFindTypeOfAnotherName(String name) {
        assertThat(DType.named(name)).isEmpty();
    }
}
