package org.fleetgrad.protocol.encoding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * The k values of each tensor that are largest in magnitude, k = max(1, ⌊ratio · n⌋) of n in float64 arithmetic, and
 * their indices: <a href="https://arxiv.org/abs/1704.05021">Aji and Heafield, sparse communication, 2017</a>, with the
 * residual of {@link ErrorFeedback}. Among values of the same magnitude, the first ones are taken.
 *
 * <p>Tensor {@code T} is encoded as {@code T:index}, I32 [k], in ascending order, and {@code T:value}, F32 [k].
 *
 * @param ratio part of the values that is sent, above 0, at most 1
 */
public record TopK(double ratio) implements Encoding {

    /** Default part of the values that is sent. */
    public static final double RATIO = 0.01;

    static final String NAME = "topk";

    private static final String INDEX = ":index";
    private static final String VALUE = ":value";

    /** Checks the ratio. */
    public TopK {
        if (!(ratio > 0 && ratio <= 1)) {
            throw new IllegalArgumentException(
                    "the ratio of the encoding topk is above 0 and at most 1; not %s".formatted(ratio));
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String text() {
        return NAME + ":" + ratio;
    }

    @Override
    public TensorLayout wireLayout(TensorLayout layout) {
        List<TensorSpec> specs = new ArrayList<>();
        for (TensorSpec spec : layout.specs()) {
            List<Long> shape = List.of((long) kept((int) spec.elementCount()));
            specs.add(new TensorSpec(spec.name() + INDEX, DType.I32, shape));
            specs.add(new TensorSpec(spec.name() + VALUE, DType.F32, shape));
        }
        return TensorLayout.inOrder(specs);
    }

    /** Returns k. */
    private int kept(int count) {
        return count == 0 ? 0 : Math.max(1, (int) Math.floor(ratio * count));
    }

    @Override
    public void encode(TensorLayout layout, float[] values, ByteBuffer wire) {
        Selection selection = new Selection();
        int begin = 0;
        for (TensorSpec spec : layout.specs()) {
            int count = (int) spec.elementCount();
            int kept = kept(count);
            IntBuffer indices = part(wire, kept).asIntBuffer();
            FloatBuffer picked = part(wire, kept).asFloatBuffer();
            if (kept > 0) {
                selection.select(values, begin, count, kept);
                pick(selection, values, begin, count, indices, picked);
            }
            begin += count;
        }
    }

    private static ByteBuffer part(ByteBuffer wire, int count) {
        int bytes = Integer.BYTES * count;
        ByteBuffer part = wire.slice(wire.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
        wire.position(wire.position() + bytes);
        return part;
    }

    private static void pick(
            Selection selection, float[] values, int begin, int count, IntBuffer indices, FloatBuffer picked) {
        int ties = selection.ties();
        for (int i = 0; i < count; i++) {
            float value = values[begin + i];
            int magnitude = Selection.magnitude(value);
            if (magnitude < selection.threshold() || (magnitude == selection.threshold() && ties-- <= 0)) {
                continue;
            }
            indices.put(i);
            picked.put(value);
            values[begin + i] = -0f;
        }
    }

    @Override
    public void decode(TensorLayout layout, TensorSet wire, float[] values) throws EncodingException {
        Arrays.fill(values, 0f);
        int begin = 0;
        for (TensorSpec spec : layout.specs()) {
            int count = (int) spec.elementCount();
            IntBuffer indices = wire.bytes(spec.name() + INDEX).orElseThrow().asIntBuffer();
            FloatBuffer sent = wire.bytes(spec.name() + VALUE).orElseThrow().asFloatBuffer();
            int before = -1;
            for (int i = 0; i < sent.limit(); i++) {
                int index = indices.get(i);
                if (index <= before || index >= count) {
                    throw wrong(spec, i, index, before);
                }
                values[begin + index] = sent.get(i);
                before = index;
            }
            begin += count;
        }
    }

    private static EncodingException wrong(TensorSpec spec, int at, int index, int before) {
        String rule = index >= 0 && index <= before
                ? "not above the one before it, which is " + before
                : "not from 0 to " + (spec.elementCount() - 1);
        return new EncodingException(
                spec.name() + INDEX, at, "index %d of tensor '%s' is %d, %s".formatted(at, spec.name(), index, rule));
    }

    /**
     * Finds the k-th largest magnitude in three passes over the values, without copying them: a radix selection over the
     * bits of |v|, which sort like |v|. It takes the same time for any values.
     */
    private static final class Selection {

        /** Bits 30 to 20, 19 to 10 and 9 to 0. */
        private static final int[] SHIFTS = {20, 10, 0};

        private final int[] histogram = new int[1 << 11];
        private int threshold;
        private int ties;

        /** Finds the {@code kept}-th largest magnitude of {@code count} values, 1 or more. */
        void select(float[] values, int begin, int count, int kept) {
            int prefix = 0;
            int prefixShift = 31;
            int left = kept;
            for (int shift : SHIFTS) {
                int mask = (1 << (prefixShift - shift)) - 1;
                Arrays.fill(histogram, 0);
                for (int i = begin; i < begin + count; i++) {
                    int magnitude = magnitude(values[i]);
                    if (magnitude >>> prefixShift == prefix) {
                        histogram[magnitude >>> shift & mask]++;
                    }
                }
                int digit = mask;
                while (histogram[digit] < left) {
                    left -= histogram[digit];
                    digit--;
                }
                prefix = prefix << (prefixShift - shift) | digit;
                prefixShift = shift;
            }
            threshold = prefix;
            ties = left;
        }

        /** Returns the bits of the k-th largest magnitude. */
        int threshold() {
            return threshold;
        }

        /** Returns how many values of exactly that magnitude belong to the k largest. */
        int ties() {
            return ties;
        }

        static int magnitude(float value) {
            return Float.floatToRawIntBits(value) & 0x7fffffff;
        }
    }
}
