package org.fleetgrad.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

class RowsPropertyTest {

    private static TensorLayout layout(int rows, int width) {
        return TensorLayout.canonical(List.of(
                TensorSpec.f32("a.bias", 5), TensorSpec.f32("embedding", rows, width), TensorSpec.f32("z", 3, 0)));
    }

    /** Values of which most rows of the embedding are zero; some rows have a single -0. */
    private static float[] gradient(Random random, int rows, int width) {
        float[] values = new float[5 + rows * width];
        for (int row = 0; row < rows; row++) {
            int kind = random.nextInt(6);
            for (int i = 0; kind == 0 && i < width; i++) {
                values[5 + row * width + i] = (float) random.nextGaussian();
            }
            if (kind == 1) {
                values[5 + row * width + random.nextInt(width)] = -0f;
            }
        }
        return values;
    }

    @Property(tries = 200)
    void shouldKeepEveryBit(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 60) int rows,
            @ForAll @IntRange(min = 1, max = 20) int width)
            throws EncodingException {
        TensorLayout layout = layout(rows, width);
        float[] values = gradient(new Random(seed), rows, width);
        long bytesOfRows = IntStream.range(0, rows)
                        .filter(row -> !isZero(values, 5 + row * width, width))
                        .count()
                * (4L + 4L * width);

        TensorSet wire = Wire.encode(new Rows(), layout, values.clone());

        assertThat(Wire.format(new Rows(), layout).difference(wire.layout())).isEmpty();
        assertThat(Wire.bits(Wire.decode(new Rows(), layout, wire))).isEqualTo(Wire.bits(values));
        assertThat(wire.layout().byteLength()).isEqualTo(20 + Math.min(4L * rows * width, bytesOfRows));
    }

    @Property(tries = 200)
    void shouldKeepEveryBitOfPartitions(
            @ForAll long seed,
            @ForAll @IntRange(min = 2, max = 90) int rows,
            @ForAll @IntRange(min = 1, max = 20) int width,
            @ForAll @IntRange(min = 2, max = 5) int servers)
            throws EncodingException {
        TensorLayout layout = layout(rows, width);
        float[] values = gradient(new Random(seed), rows, width);
        Encoding encoder = new Rows().forPiecesOf(layout);
        for (Partitioning.Partition part : Partitioning.of(layout, servers).partitions()) {
            float[] own = Arrays.copyOfRange(values, part.begin(), part.begin() + part.length());

            TensorSet wire = Wire.encode(encoder, part.layout(), own.clone());

            // A server knows its pieces, and not how wide the matrices are.
            TensorFormat format = Wire.format(new Rows(), part.layout());
            assertThat(format.difference(wire.layout())).isEmpty();
            float[] read = new float[own.length];
            format.decode(wire, read);
            assertThat(Wire.bits(read)).isEqualTo(Wire.bits(own));
            assertThat(wire.layout().byteLength()).isLessThanOrEqualTo(4L * own.length);
        }
    }

    /** For any tensors that pass the check of the layout, and any bytes, the outcome is values or a refusal. */
    @Property(tries = 500)
    void shouldFailInNoOtherWay(@ForAll long seed) {
        Random random = new Random(seed);
        TensorLayout layout = TensorLayout.inOrder(
                List.of(TensorSpec.f32("a", 9, 3), TensorSpec.f32("b", 20, 4).piece(6, 30)));
        long ofA = random.nextInt(12);
        long ofB = random.nextInt(5);
        boolean isLie = random.nextInt(4) == 0;
        TensorLayout wire = TensorLayout.inOrder(List.of(
                new TensorSpec("a:row", DType.I32, List.of(ofA)),
                TensorSpec.f32("a:value", isLie ? random.nextInt(12) : ofA, 3),
                new TensorSpec("b[6:30]:row", DType.I32, List.of(ofB)),
                TensorSpec.f32("b[6:30]:value", ofB, random.nextInt(40))));
        TensorFormat format = new TensorFormat(new Rows(), layout, ParameterState.NONE);
        if (format.difference(wire).isPresent()) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) wire.byteLength()).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.remaining() > 3) {
            bytes.putInt(random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(10) - 1);
        }
        float[] values = new float[27 + 24];
        try {
            format.decode(new TensorSet(wire, bytes.flip(), Map.of()), values);
        } catch (EncodingException refused) {
            assertThat(refused.getMessage()).contains("tensor '");
        }
    }

    private static boolean isZero(float[] values, int from, int count) {
        return IntStream.range(from, from + count).allMatch(i -> Float.floatToRawIntBits(values[i]) == 0);
    }
}
