package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/** Takes float32 values, and checks each chunk while it is still in the CPU cache. */
final class FloatSink implements BodySink {

    private final Store store;
    private boolean isFinite = true;
    private int at;

    /** Stores values at their position. */
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
        // The check reads from index 0, where the buffer begins.
        isFinite &= FiniteValues.areIn(chunk, count);
        store.put(chunk.asFloatBuffer(), at, count);
        at += count;
        chunk.position(count * Float.BYTES);
    }

    /** Tells whether all values so far are finite. */
    boolean isFinite() {
        return isFinite;
    }
}
