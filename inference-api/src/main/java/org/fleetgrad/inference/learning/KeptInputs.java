package org.fleetgrad.inference.learning;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.serving.Images;

/** The images of the newest predictions, by their sequence numbers, in a bounded number of bytes. Thread-safe. */
final class KeptInputs {

    /** What a map and an array take beside the pixels. */
    static final int OVERHEAD = 128;

    private final long most;
    private final Map<Long, byte[]> inputs = new LinkedHashMap<>();
    private long bytes;

    /** @param most bytes, with what the map takes */
    KeptInputs(long most) {
        this.most = most;
    }

    /** Keeps the images of an answer; the oldest ones make room. */
    void keep(long first, Images images) {
        int values = images.shape().values();
        for (int i = 0; i < images.count(); i++) {
            keep(first + i, pixels(images.pixels(), i * values, values));
        }
    }

    private static byte[] pixels(float[] from, int at, int values) {
        byte[] pixels = new byte[values];
        for (int i = 0; i < values; i++) {
            pixels[i] = (byte) Math.round(from[at + i]);
        }
        return pixels;
    }

    private synchronized void keep(long sequence, byte[] pixels) {
        long needed = (long) pixels.length + OVERHEAD;
        Iterator<byte[]> oldest = inputs.values().iterator();
        while (bytes + needed > most && oldest.hasNext()) {
            bytes -= oldest.next().length + OVERHEAD;
            oldest.remove();
        }
        if (bytes + needed <= most) {
            inputs.put(sequence, pixels);
            bytes += needed;
        }
    }

    /** Takes the image of a prediction away; empty if it is not kept any more. */
    synchronized Optional<byte[]> take(long sequence) {
        Optional<byte[]> taken = Optional.ofNullable(inputs.remove(sequence));
        taken.ifPresent(pixels -> bytes -= pixels.length + OVERHEAD);
        return taken;
    }

    /** Returns how many bytes are taken. */
    synchronized long bytes() {
        return bytes;
    }
}
