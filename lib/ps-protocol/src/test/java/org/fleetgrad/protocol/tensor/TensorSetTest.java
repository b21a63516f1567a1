package org.fleetgrad.protocol.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.fleetgrad.protocol.tensor.TensorSpec.f32;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TensorSetTest {

    private static final TensorLayout LAYOUT = TensorLayout.inOrder(List.of(f32("b", 2), f32("a", 1, 3)));
    private static final float[] VALUES = {1, 2, 3, 4, 5};

    @Test
    void shouldViewEachTensorLittleEndian() {
        TensorSet set = TensorSet.ofFloats(LAYOUT, VALUES, Map.of());
        assertThat(floats(set.bytes("a").orElseThrow())).containsExactly(3, 4, 5);
        assertThat(floats(set.bytes("b").orElseThrow())).containsExactly(1, 2);
        assertThat(set.bytes("c")).isEmpty();
        assertThat(set.data().get(3)).isEqualTo((byte) 0x3F);
    }

    @Test
    void shouldGatherInAnotherOrder() {
        TensorSet set = TensorSet.ofFloats(LAYOUT, VALUES, Map.of());
        assertThat(set.toFloats(TensorLayout.canonical(LAYOUT.specs()))).containsExactly(3, 4, 5, 1, 2);
        assertThat(set.toFloats(LAYOUT)).containsExactly(VALUES);
    }

    @Property(tries = 200)
    void shouldCarryValuesThroughAnyOrder(@ForAll @IntRange(max = 6) int tensors, @ForAll long seed) {
        Random random = new Random(seed);
        List<TensorSpec> specs = new ArrayList<>();
        for (int i = 0; i < tensors; i++) {
            specs.add(f32("t" + i, random.nextInt(4), 1 + random.nextInt(3)));
        }
        TensorLayout one = TensorLayout.inOrder(specs);
        Collections.shuffle(specs, random);
        TensorLayout other = TensorLayout.inOrder(specs);
        float[] values = new float[Math.toIntExact(one.elementCount())];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat();
        }

        float[] there = TensorSet.ofFloats(one, values, Map.of()).toFloats(other);
        assertThat(TensorSet.ofFloats(other, there, Map.of()).toFloats(one)).containsExactly(values);
    }

    @Test
    void shouldReadFromMiddleOfDirectBuffer() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(27).order(ByteOrder.LITTLE_ENDIAN);
        buffer.position(3);
        for (float value : VALUES) {
            buffer.putFloat(value);
        }
        TensorSet set = new TensorSet(LAYOUT, buffer.limit(buffer.position()).position(3), Map.of());
        assertThat(set.toFloats(LAYOUT)).containsExactly(VALUES);
        assertThat(buffer.position()).isEqualTo(3);
    }

    @Test
    void shouldHandOutViewsThatNobodyCanWriteOrMove() {
        TensorSet set = TensorSet.ofFloats(LAYOUT, VALUES, Map.of());
        set.data().position(4);
        assertThat(set.data().position()).isZero();
        assertThatThrownBy(() -> set.data().putFloat(0, 1)).isInstanceOf(ReadOnlyBufferException.class);
    }

    @Test
    void shouldNotShareArrayItWasMadeOf() {
        float[] values = VALUES.clone();
        TensorSet set = TensorSet.ofFloats(LAYOUT, values, Map.of());
        Arrays.fill(values, 0);
        assertThat(set.toFloats(LAYOUT)).containsExactly(VALUES);
    }

    @Test
    void shouldRejectBufferOfAnotherLength() {
        assertThatThrownBy(() -> new TensorSet(LAYOUT, ByteBuffer.allocate(19), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("2 tensors take 20 bytes, the buffer holds 19");
    }

    @Test
    void shouldRejectValuesOfAnotherLength() {
        assertThatThrownBy(() -> TensorSet.ofFloats(LAYOUT, new float[6], Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the layout has 5 float32 values, given were 6");
        TensorSet set = TensorSet.ofFloats(LAYOUT, VALUES, Map.of());
        assertThatThrownBy(() -> set.copyFloats(LAYOUT, new float[4]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the layout has 5 values, the target 4");
    }

    @Test
    void shouldRejectOrderOfOtherTensors() {
        TensorSet set = TensorSet.ofFloats(LAYOUT, VALUES, Map.of());
        assertThatThrownBy(() -> set.toFloats(TensorLayout.inOrder(List.of(f32("b", 2), f32("a", 3)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tensor 'a' has shape [1, 3] (3 values), the parameter set has [3] (3 values)");
    }

    @Test
    void shouldCopyOnlyFloat32() {
        TensorLayout halves = TensorLayout.inOrder(List.of(new TensorSpec("h", DType.F16, List.of(2L))));
        TensorSet set = new TensorSet(halves, ByteBuffer.allocate(4), Map.of());
        assertThatThrownBy(() -> set.toFloats(halves))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("only float32 tensors are copied as floats");
        assertThatThrownBy(() -> TensorSet.ofFloats(halves, new float[2], Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("only float32 tensors are made of floats");
    }

    private static float[] floats(ByteBuffer bytes) {
        float[] values = new float[bytes.remaining() / Float.BYTES];
        bytes.asFloatBuffer().get(values);
        return values;
    }
}
