package org.fleetgrad.ps.parameters;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * Writes versions of one parameter set into snapshots, in buffers that it uses again.
 *
 * <p>Written to by one thread; buffers come back from any.
 */
final class SnapshotWriter {

    /** Spare buffers kept beside those in use: one being written, and a few that readers let go of together. */
    private static final int SPARE_BUFFERS = 4;

    private final TensorLayout layout;
    private final Map<String, String> metadata;
    private final int headerBytes;
    private final ConcurrentLinkedDeque<ByteBuffer> spare = new ConcurrentLinkedDeque<>();
    private final AtomicInteger spares = new AtomicInteger();
    private final AtomicInteger alive = new AtomicInteger();

    /**
     * @param metadata strings that every version carries beside its own generation and number
     */
    SnapshotWriter(TensorLayout layout, Map<String, String> metadata, String generation) {
        this.layout = layout;
        this.metadata = new TreeMap<>(metadata);
        // Room for the largest version, so that every header has the same size and every buffer fits every version.
        this.headerBytes = header(new ParameterVersion(generation, Long.MAX_VALUE), 0).length;
    }

    ParameterSnapshot write(ParameterVersion version, float[] values) {
        ByteBuffer file = takeBuffer();
        file.put(header(version, headerBytes));
        file.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(values);
        alive.incrementAndGet();
        return new ParameterSnapshot(version, layout, file.rewind(), this::recycle);
    }

    private byte[] header(ParameterVersion version, int minimumBytes) {
        Map<String, String> all = new TreeMap<>(metadata);
        all.put("format", "pt");
        all.put(ParameterVersion.GENERATION_KEY, version.generation());
        all.put(ParameterVersion.VERSION_KEY, Long.toString(version.version()));
        return SafetensorsHeader.encode(layout, all, minimumBytes);
    }

    private ByteBuffer takeBuffer() {
        ByteBuffer buffer = spare.poll();
        if (buffer == null) {
            return ByteBuffer.allocateDirect(Math.toIntExact(headerBytes + layout.byteLength()));
        }
        spares.decrementAndGet();
        return buffer.clear();
    }

    /** Returns how many of the snapshots are held by anyone. */
    int alive() {
        return alive.get();
    }

    private void recycle(ByteBuffer buffer) {
        alive.decrementAndGet();
        if (spares.incrementAndGet() <= SPARE_BUFFERS) {
            spare.push(buffer);
        } else {
            spares.decrementAndGet();
        }
    }
}
