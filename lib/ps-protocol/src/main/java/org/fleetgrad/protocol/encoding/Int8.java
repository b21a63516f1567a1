package org.fleetgrad.protocol.encoding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * One byte per value, and a float32 scale for each block of {@code block} values of a tensor (the last one may be
 * shorter): scale = max|v| / 127, code = v / scale rounded to nearest, ties to even, value = code · scale. So |v −
 * value| ≤ scale / 2. Blocks as in <a href="https://arxiv.org/abs/1511.04561">Dettmers, 8-bit approximations, 2015</a>.
 *
 * <p>Tensor {@code T} is encoded as {@code T}, I8 of its shape, and {@code T:scale}, F32 [blocks]. A block whose scale
 * would be subnormal is encoded as zeros with scale 0: its values are below 1.5e-36.
 *
 * @param block values that share a scale
 */
public record Int8(int block) implements ParameterEncoding {

    /** Default number of values that share a scale: the scales then add 1.6% to the codes. */
    public static final int BLOCK = 256;

    static final String NAME = "i8";

    private static final String SCALE = ":scale";
    private static final int MIN_BLOCK = 16;
    private static final int MAX_BLOCK = 65_536;
    private static final float MAX_CODE = 127;

    /** 1.5·2^23: adding and subtracting it rounds a number below 2^22 to the nearest whole number, ties to even. */
    private static final float ROUNDING = 0x1.8p23f;

    /** Checks the block's size. */
    public Int8 {
        if (block < MIN_BLOCK || block > MAX_BLOCK) {
            throw new IllegalArgumentException("a block of the encoding i8 has from %d to %d values; not %d"
                    .formatted(MIN_BLOCK, MAX_BLOCK, block));
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String text() {
        return NAME + ":" + block;
    }

    /** The scales come first, so that everything is aligned. */
    @Override
    public TensorLayout wireLayout(TensorLayout layout) {
        List<TensorSpec> specs = new ArrayList<>();
        for (TensorSpec spec : layout.specs()) {
            specs.add(TensorSpec.f32(spec.name() + SCALE, blocks(spec)));
        }
        for (TensorSpec spec : layout.specs()) {
            specs.add(new TensorSpec(spec.name(), DType.I8, spec.shape()));
        }
        return TensorLayout.inOrder(specs);
    }

    private long blocks(TensorSpec spec) {
        return (spec.elementCount() + block - 1) / block;
    }

    @Override
    public TensorLayout plainLayout(TensorLayout wire) {
        return TensorLayout.inOrder(wire.specs().stream()
                .filter(spec -> spec.dtype() == DType.I8)
                .map(spec -> new TensorSpec(spec.name(), DType.F32, spec.shape()))
                .toList());
    }

    @Override
    public void encode(TensorLayout layout, float[] values, ByteBuffer wire) {
        int scaleBytes = Float.BYTES
                * (int) layout.specs().stream().mapToLong(this::blocks).sum();
        FloatBuffer scales = wire.slice(wire.position(), scaleBytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer();
        wire.position(wire.position() + scaleBytes);
        byte[] codes = new byte[block];
        int begin = 0;
        for (TensorSpec spec : layout.specs()) {
            int end = begin + (int) spec.elementCount();
            for (int from = begin; from < end; from += block) {
                int count = Math.min(block, end - from);
                float scale = largest(values, from, count) / MAX_CODE;
                scale = scale < Float.MIN_NORMAL ? 0 : scale;
                scales.put(scale);
                encode(values, from, count, scale, codes);
                wire.put(codes, 0, count);
            }
            begin = end;
        }
    }

    private static float largest(float[] values, int from, int count) {
        float largest = 0;
        for (int i = from; i < from + count; i++) {
            largest = Math.max(largest, Math.abs(values[i]));
        }
        return largest;
    }

    private static void encode(float[] values, int from, int count, float scale, byte[] codes) {
        // All codes of a block with scale 0 are 0.
        float divisor = scale == 0 ? Float.POSITIVE_INFINITY : scale;
        for (int i = 0; i < count; i++) {
            float value = values[from + i];
            float code = value / divisor + ROUNDING - ROUNDING;
            codes[i] = (byte) code;
            values[from + i] = value - code * scale;
        }
    }

    @Override
    public void decode(TensorLayout layout, TensorSet wire, float[] values) throws EncodingException {
        byte[] codes = new byte[block];
        int begin = 0;
        for (TensorSpec spec : layout.specs()) {
            FloatBuffer scales = wire.bytes(spec.name() + SCALE).orElseThrow().asFloatBuffer();
            ByteBuffer bytes = wire.bytes(spec.name()).orElseThrow();
            int end = begin + (int) spec.elementCount();
            for (int from = begin; from < end; from += block) {
                int count = Math.min(block, end - from);
                float scale = scale(spec, scales);
                bytes.get(codes, 0, count);
                for (int i = 0; i < count; i++) {
                    values[from + i] = codes[i] * scale;
                }
            }
            begin = end;
        }
    }

    private static float scale(TensorSpec spec, FloatBuffer scales) throws EncodingException {
        int at = scales.position();
        float scale = scales.get();
        if (!(scale >= 0) || scale > Float.MAX_VALUE) {
            throw new EncodingException(
                    spec.name() + SCALE,
                    at,
                    "scale %d of %d of tensor '%s' is %s; a scale is a finite number from 0 on"
                            .formatted(at, scales.limit(), spec.name(), scale));
        }
        return scale;
    }
}
