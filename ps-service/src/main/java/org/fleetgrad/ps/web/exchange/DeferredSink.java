package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes the beginning of a body into memory that grows with it. It reserves the full memory only when an eighth of that has
 * arrived, or the complete body: a client that announces much and sends little locks nobody out. Confined to the request.
 */
final class DeferredSink implements BodySink {

    /** Bodies that need at most this much memory get it at once. */
    static final int SMALL_BYTES = 1 << 20;

    private static final int SHARE = 8;

    private final int earned;
    private final ReceivedBytes.Share early;
    private final Supplier<BodySink> open;
    private @Nullable BytesSink beginning;
    private @Nullable BodySink rest;
    private int at;

    private DeferredSink(int earned, ReceivedBytes.Share early, Supplier<BodySink> open) {
        this.earned = earned;
        this.early = early;
        this.open = open;
        this.beginning = new BytesSink(earned + BodyBuffers.CHUNK_BYTES, early);
    }

    /**
     * @param dataBytes   that were announced
     * @param memoryBytes that it needs in the end
     * @param early       of the memory for beginnings of bodies
     * @param open        reserves the memory for all of it, or refuses the request
     */
    static BodySink of(int dataBytes, long memoryBytes, ReceivedBytes.Share early, Supplier<BodySink> open) {
        int earned = (int) Math.min(dataBytes - dataBytes % Float.BYTES, memoryBytes / SHARE);
        return earned == 0 ? open.get() : new DeferredSink(earned, early, open);
    }

    @Override
    public void take(ByteBuffer chunk) {
        BytesSink first = beginning;
        if (first == null) {
            if (rest != null) {
                rest.take(chunk);
            }
            return;
        }
        int aligned = chunk.remaining() / Float.BYTES * Float.BYTES;
        first.take(chunk.slice(chunk.position(), aligned));
        chunk.position(chunk.position() + aligned);
        at += aligned;
        if (at >= earned) {
            BodySink opened = open.get();
            opened.take(first.bytes().limit(at).order(ByteOrder.LITTLE_ENDIAN));
            beginning = null;
            rest = opened;
            early.close();
            // Bytes after the last complete value of this chunk, which may be the end of the body.
            ByteBuffer left = chunk.slice();
            opened.take(left);
            chunk.position(chunk.position() + left.position());
        }
    }
}
