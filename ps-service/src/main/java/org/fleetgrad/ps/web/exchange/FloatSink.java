package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/** Takes float32 values, and checks each piece while it is still in the cache. */
final class FloatSink implements BodySink {

    private final Store store;
    private boolean isFinite = true;
    private int at;

    /** Puts values where they belong. */
    @FunctionalInterface
    interface Store {
        void put(FloatBuffer values, int at, int count);
    }

    FloatSink(Store store) {
        this.store = store;
    }

    @Override
    public void take(ByteBuffer chunk) {
        int count = chunk.remaining() / Float.BYTES;
        // The buffer begins at its first byte, as the check reads it.
        isFinite &= FiniteValues.areIn(chunk, count);
        store.put(chunk.asFloatBuffer(), at, count);
        at += count;
        chunk.position(count * Float.BYTES);
    }

    /** Tells whether all values that came are finite. */
    boolean isFinite() {
        return isFinite;
    }
}
