package org.fleetgrad.protocol.encoding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Two bytes per value. Values are converted in chunks that fit into the L1 cache, so that the loops over them run on
 * arrays. Each encoding has loops of its own: a shared one would call the conversion of each value.
 */
sealed interface HalfPrecision extends ParameterEncoding permits Float16, BFloat16 {

    /** Values of a chunk. */
    int CHUNK = 1024;

    /** Returns the type of the tensors on the wire. */
    DType dtype();

    /** Encodes {@code count} values from {@code from} into a chunk, and leaves their residuals. */
    void encodeChunk(float[] values, int from, int count, short[] chunk);

    /** Decodes a chunk into {@code count} values from {@code from}. */
    void decodeChunk(short[] chunk, int count, float[] values, int from);

    @Override
    default TensorLayout wireLayout(TensorLayout layout) {
        return ofType(layout, dtype());
    }

    @Override
    default TensorLayout plainLayout(TensorLayout wire) {
        return ofType(wire, DType.F32);
    }

    private static TensorLayout ofType(TensorLayout layout, DType dtype) {
        return TensorLayout.inOrder(layout.specs().stream()
                .map(spec -> new TensorSpec(spec.name(), dtype, spec.shape()))
                .toList());
    }

    @Override
    default void encode(TensorLayout layout, float[] values, ByteBuffer wire) {
        short[] chunk = new short[CHUNK];
        for (int from = 0; from < values.length; from += CHUNK) {
            int count = Math.min(CHUNK, values.length - from);
            encodeChunk(values, from, count, chunk);
            wire.slice().order(ByteOrder.LITTLE_ENDIAN).asShortBuffer().put(chunk, 0, count);
            wire.position(wire.position() + Short.BYTES * count);
        }
    }

    @Override
    default void decode(TensorLayout layout, TensorSet wire, float[] values) {
        short[] chunk = new short[CHUNK];
        int from = 0;
        for (TensorSpec spec : layout.specs()) {
            ShortBuffer bits = wire.bytes(spec.name()).orElseThrow().asShortBuffer();
            while (bits.hasRemaining()) {
                int count = Math.min(CHUNK, bits.remaining());
                bits.get(chunk, 0, count);
                decodeChunk(chunk, count, values, from);
                from += count;
            }
        }
        if (from != values.length) {
            throw new IllegalArgumentException("%d values were read, wanted are %d".formatted(from, values.length));
        }
    }
}
