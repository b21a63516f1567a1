package org.fleetgrad.protocol.encoding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** Copies two-byte values in chunks that fit into the L1 cache, so that the loops over them run on arrays. */
final class TwoBytes {

    private static final int CHUNK = 1024;

    /** Encodes values into a chunk, or decodes a chunk. */
    @FunctionalInterface
    interface Chunk {
        void convert(short[] chunk, int count, int from);
    }

    private TwoBytes() {}

    /** Returns the same tensors, in the same order, of another type. */
    static TensorLayout layout(TensorLayout layout, DType dtype) {
        return TensorLayout.inOrder(layout.specs().stream()
                .map(spec -> new TensorSpec(spec.name(), dtype, spec.shape()))
                .toList());
    }

    static void encode(float[] values, ByteBuffer wire, Chunk from) {
        short[] chunk = new short[CHUNK];
        for (int at = 0; at < values.length; at += CHUNK) {
            int count = Math.min(CHUNK, values.length - at);
            from.convert(chunk, count, at);
            put(chunk, count, wire);
        }
    }

    private static void put(short[] chunk, int count, ByteBuffer wire) {
        wire.slice().order(ByteOrder.LITTLE_ENDIAN).asShortBuffer().put(chunk, 0, count);
        wire.position(wire.position() + Short.BYTES * count);
    }

    static void decode(TensorLayout layout, TensorSet wire, float[] values, Chunk into) {
        short[] chunk = new short[CHUNK];
        int from = 0;
        for (TensorSpec spec : layout.specs()) {
            ShortBuffer bits = wire.bytes(spec.name()).orElseThrow().asShortBuffer();
            while (bits.hasRemaining()) {
                int count = Math.min(CHUNK, bits.remaining());
                bits.get(chunk, 0, count);
                into.convert(chunk, count, from);
                from += count;
            }
        }
        if (from != values.length) {
            throw new IllegalArgumentException("%d values were read, wanted are %d".formatted(from, values.length));
        }
    }
}
