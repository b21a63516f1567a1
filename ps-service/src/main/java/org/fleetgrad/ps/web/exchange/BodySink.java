package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.function.Supplier;
import org.fleetgrad.protocol.tensor.WireValues;
import org.jspecify.annotations.Nullable;

/** Takes the values of a body, chunk by chunk, in the thread that read them. */
interface BodySink {

    /**
     * Takes what the buffer has. It may leave an incomplete last value, which is passed again with its remaining bytes.
     */
    void take(ByteBuffer chunk);

    /** Takes float32 values, and checks each chunk while it is still in the CPU cache. */
    final class Floats implements BodySink {

        private final Store store;
        private boolean isFinite = true;
        private int at;

        @FunctionalInterface
        interface Store {
            void put(FloatBuffer values, int at, int count);
        }

        Floats(Store store) {
            this.store = store;
        }

        @Override
        public void take(ByteBuffer chunk) {
            int count = chunk.remaining() / Float.BYTES;
            // The check reads from index 0, where the buffer begins.
            isFinite &= WireValues.areAllowed(chunk, count);
            store.put(chunk.asFloatBuffer(), at, count);
            at += count;
            chunk.position(count * Float.BYTES);
        }

        boolean isFinite() {
            return isFinite;
        }
    }

    /** Takes tensors' bytes into an array that doubles as they arrive, up to what was announced. */
    final class Bytes implements BodySink {

        /** Few enough for thousands of clients that send a head and nothing else. */
        private static final int FIRST = 4 * 1024;

        private final int wanted;
        private final ReceivedBytes.Reservation reservation;
        private byte[] bytes;
        private int at;

        /**
         * @param wanted      bytes that were announced
         * @param reservation of the memory for parameter sets that arrive
         */
        Bytes(int wanted, ReceivedBytes.Reservation reservation) {
            this.wanted = wanted;
            this.reservation = reservation;
            int first = Math.min(wanted, FIRST);
            reservation.grow(first);
            this.bytes = new byte[first];
        }

        @Override
        public void take(ByteBuffer chunk) {
            int count = chunk.remaining();
            if (at + count > bytes.length) {
                int larger = (int) Math.min(wanted, Math.max(2L * bytes.length, at + count));
                reservation.grow(larger - bytes.length);
                bytes = Arrays.copyOf(bytes, larger);
            }
            chunk.get(bytes, at, count);
            at += count;
        }

        ByteBuffer bytes() {
            return ByteBuffer.wrap(bytes);
        }
    }

    /**
     * Takes the beginning of a body into memory that grows with it. It reserves the full memory only when an eighth of
     * that has arrived, or the complete body: a client that announces much and sends little locks nobody out. Confined
     * to the request.
     */
    final class Deferred implements BodySink {

        /** Bodies that need at most this much memory get it at once. */
        static final int SMALL_BYTES = 1 << 20;

        private static final int SHARE = 8;

        private final int earned;
        private final ReceivedBytes.Reservation reservation;
        private final Supplier<BodySink> open;
        private @Nullable Bytes beginning;
        private @Nullable BodySink rest;
        private int at;

        private Deferred(int earned, ReceivedBytes.Reservation reservation, Supplier<BodySink> open) {
            this.earned = earned;
            this.reservation = reservation;
            this.open = open;
            this.beginning = new Bytes(earned + EncodedGradient.Buffers.CHUNK_BYTES, reservation);
        }

        /**
         * @param dataBytes   that were announced
         * @param memoryBytes that it needs in the end
         * @param reservation      of the memory for beginnings of bodies
         * @param open        reserves the memory for all of it, or refuses the request
         */
        static BodySink of(
                int dataBytes, long memoryBytes, ReceivedBytes.Reservation reservation, Supplier<BodySink> open) {
            int earned = (int) Math.min(dataBytes - dataBytes % Float.BYTES, memoryBytes / SHARE);
            return earned == 0 ? open.get() : new Deferred(earned, reservation, open);
        }

        @Override
        public void take(ByteBuffer chunk) {
            Bytes first = beginning;
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
                reservation.close();
                // Bytes after the last complete value of this chunk, which may be the end of the body.
                ByteBuffer left = chunk.slice();
                opened.take(left);
                chunk.position(chunk.position() + left.position());
            }
        }
    }
}
