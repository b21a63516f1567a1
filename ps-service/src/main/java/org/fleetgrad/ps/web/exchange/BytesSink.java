package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Takes tensors' bytes into an array that doubles as they arrive, up to what was announced. */
final class BytesSink implements BodySink {

    /** Few enough for thousands of clients that send a head and nothing else. */
    private static final int FIRST = 4 * 1024;

    private final int wanted;
    private final ReceivedBytes.Share share;
    private byte[] bytes;
    private int at;

    /**
     * @param wanted bytes that were announced
     * @param share  of the memory for parameter sets that arrive
     */
    BytesSink(int wanted, ReceivedBytes.Share share) {
        this.wanted = wanted;
        this.share = share;
        int first = Math.min(wanted, FIRST);
        share.grow(first);
        this.bytes = new byte[first];
    }

    @Override
    public void take(ByteBuffer chunk) {
        int count = chunk.remaining();
        if (at + count > bytes.length) {
            int larger = (int) Math.min(wanted, Math.max(2L * bytes.length, at + count));
            share.grow(larger - bytes.length);
            bytes = Arrays.copyOf(bytes, larger);
        }
        chunk.get(bytes, at, count);
        at += count;
    }

    /** Returns the bytes, all of which have arrived. */
    ByteBuffer bytes() {
        return ByteBuffer.wrap(bytes);
    }
}
