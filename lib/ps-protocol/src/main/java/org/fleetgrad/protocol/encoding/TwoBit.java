package org.fleetgrad.protocol.encoding;

import java.nio.ByteBuffer;
import java.util.List;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Two bits per value: v ≥ threshold is encoded as {@code 11}, which is +threshold, v ≤ −threshold as {@code 10},
 * −threshold, and anything between as {@code 00}, zero. With the residual of {@link ErrorFeedback} that is <a
 * href="https://mxnet.apache.org/versions/1.9.1/api/faq/gradient_compression">MXNet's 2-bit compression</a>: r += g,
 * send the code, subtract the sent value from r.
 *
 * <p>Tensor {@code T} of n values is encoded as {@code T:codes}, U8 [⌈n/4⌉], four codes per byte, the first in the
 * highest bits; the unused bits of the last byte are zero.
 *
 * @param threshold the one magnitude that is sent, above 0; about the size of the gradient's larger values
 */
public record TwoBit(float threshold) implements Encoding {

    /** The default threshold. */
    public static final float THRESHOLD = 0.01f;

    static final String NAME = "2bit";

    private static final String CODES = ":codes";
    private static final int PER_BYTE = 4;
    private static final int PLUS = 0b11;
    private static final int MINUS = 0b10;

    /** Checks the threshold. */
    public TwoBit {
        if (!(threshold >= Float.MIN_NORMAL && threshold <= Float.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "the threshold of the encoding 2bit is a finite number from %s on; not %s"
                            .formatted(Float.MIN_NORMAL, threshold));
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String text() {
        return NAME + ":" + threshold;
    }

    @Override
    public TensorLayout wireLayout(TensorLayout layout) {
        return TensorLayout.inOrder(layout.specs().stream()
                .map(spec -> new TensorSpec(spec.name() + CODES, DType.U8, List.of(bytes(spec))))
                .toList());
    }

    private static long bytes(TensorSpec spec) {
        return (spec.elementCount() + PER_BYTE - 1) / PER_BYTE;
    }

    @Override
    public void encode(TensorLayout layout, float[] values, ByteBuffer wire) {
        int begin = 0;
        for (TensorSpec spec : layout.specs()) {
            int end = begin + (int) spec.elementCount();
            int at = begin;
            for (; at + PER_BYTE <= end; at += PER_BYTE) {
                wire.put((byte) (take(values, at) << 6
                        | take(values, at + 1) << 4
                        | take(values, at + 2) << 2
                        | take(values, at + 3)));
            }
            if (at < end) {
                int last = 0;
                for (int i = at; i < end; i++) {
                    last |= take(values, i) << (6 - 2 * (i - at));
                }
                wire.put((byte) last);
            }
            begin = end;
        }
    }

    /** Returns the code of a value, and subtracts the decoded value. */
    private int take(float[] values, int at) {
        float value = values[at];
        if (value >= threshold) {
            values[at] = value - threshold;
            return PLUS;
        }
        if (value <= -threshold) {
            values[at] = value + threshold;
            return MINUS;
        }
        return 0;
    }

    @Override
    public void decode(TensorLayout layout, TensorSet wire, float[] values) throws EncodingException {
        float[] meaning = {0, Float.NaN, -threshold, threshold};
        int begin = 0;
        for (TensorSpec spec : layout.specs()) {
            ByteBuffer codes = wire.bytes(spec.name() + CODES).orElseThrow();
            int count = (int) spec.elementCount();
            requireCodes(spec, codes, count);
            for (int i = 0; i < count; i++) {
                values[begin + i] = meaning[codes.get(i >>> 2) >>> (6 - 2 * (i & 3)) & 3];
            }
            begin += count;
        }
    }

    /** A low bit without its high bit makes the code 01, which means nothing; bits after the last value are zero. */
    private static void requireCodes(TensorSpec spec, ByteBuffer codes, int count) throws EncodingException {
        for (int at = 0; at < codes.limit(); at++) {
            int code = codes.get(at) & 0xff;
            int used = Math.min(PER_BYTE, count - PER_BYTE * at);
            boolean isMeaningless = (code & ~(code >>> 1) & 0b01010101) != 0;
            boolean isBeyond = (code & (1 << (2 * (PER_BYTE - used))) - 1) != 0;
            if (isMeaningless || isBeyond) {
                throw new EncodingException(
                        spec.name() + CODES,
                        at,
                        "byte %d of %d of the codes of tensor '%s' is %s; codes are 00, 10 and 11, and 00 after the last value"
                                .formatted(at, codes.limit(), spec.name(), bits(code)));
            }
        }
    }

    private static String bits(int code) {
        return Integer.toBinaryString(code | 0x100).substring(1);
    }
}
