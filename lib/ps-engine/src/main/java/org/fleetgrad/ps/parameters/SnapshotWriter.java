package org.fleetgrad.ps.parameters;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.optim.Cores;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.encoding.TensorFormat;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.ps.parameters.SnapshotMemory.NoSnapshotMemoryException;

/**
 * Writes versions of one parameter set into snapshots, in buffers that it reuses.
 *
 * <p>One thread writes versions. Any thread may encode a version or give its buffer back.
 */
final class SnapshotWriter {

    /** One buffer that is being written, and a few that readers release at the same time. */
    static final int SPARE_BUFFERS = 4;

    /**
     * The newest version, its encoded copy, and the next two: the minimum with which workers and steps continue.
     */
    static final int MIN_FILES = 4;

    private final TensorLayout layout;
    private final Map<String, String> metadata;
    private final ParameterState state;
    private final SafetensorsHeader plain;
    private final int headerBytes;
    private final int fileBytes;
    private final BufferPool<ByteBuffer> buffers = BufferPool.ofDirectBuffers(SPARE_BUFFERS);
    private final AtomicInteger alive = new AtomicInteger();
    private final ConcurrentMap<ParameterEncoding, EncodedFiles> encoded = new ConcurrentHashMap<>();
    private final Object encoding = new Object();
    private final SnapshotMemory memory;

    /** The values that are being encoded, one version at a time; empty until the first request for an encoding. */
    private float[] values = {};

    /**
     * @param metadata strings that every version carries beside its own generation and number
     * @param memory   memory for all versions
     */
    SnapshotWriter(TensorLayout layout, Map<String, String> metadata, String generation, SnapshotMemory memory) {
        this.layout = layout;
        this.memory = memory;
        this.metadata = new TreeMap<>(metadata);
        this.state = ParameterState.in(metadata).within(layout);
        this.plain = new SafetensorsHeader(layout);
        // Room for the largest version, so that every header has the same size and every buffer fits every version.
        this.headerBytes = header(new ParameterVersion(generation, Long.MAX_VALUE), Encodings.PLAIN, plain, 0).length;
        this.fileBytes = Math.toIntExact(headerBytes + layout.byteLength());
        memory.raiseTo(MIN_FILES * (long) fileBytes);
    }

    /** Writes a version; returns nothing if there is no memory for it now. */
    Optional<ParameterSnapshot> write(ParameterVersion version, float[] values) {
        Optional<ByteBuffer> free = take(fileBytes, buffers);
        if (free.isEmpty()) {
            return Optional.empty();
        }
        ByteBuffer file = free.get();
        file.put(header(version, Encodings.PLAIN, plain, headerBytes));
        FloatBuffer data = file.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
        Cores.each(values.length, (from, to) -> data.put(from, values, from, to - from));
        alive.incrementAndGet();
        return Optional.of(new ParameterSnapshot(version, layout, file.rewind(), this));
    }

    /**
     * Takes a buffer within the bound. If the machine has less memory than the bound, returns empty instead of failing.
     */
    private Optional<ByteBuffer> take(int bytes, BufferPool<ByteBuffer> pool) {
        if (!memory.tryReserve(bytes)) {
            return Optional.empty();
        }
        try {
            return Optional.of(pool.take(bytes).clear());
        } catch (OutOfMemoryError none) {
            memory.release(bytes);
            return Optional.empty();
        }
    }

    int fileBytes() {
        return fileBytes;
    }

    /**
     * Writes a version in an encoding.
     *
     * @param file the unencoded version, held by the caller
     * @throws IllegalArgumentException when the encoding cannot carry these tensors
     */
    ByteBuffer encode(ParameterVersion version, ByteBuffer file, ParameterEncoding wanted) {
        ParameterVersion longest = new ParameterVersion(version.generation(), Long.MAX_VALUE);
        EncodedFiles files = encoded.computeIfAbsent(wanted, absent -> {
            TensorFormat format = new TensorFormat(wanted, layout, state);
            SafetensorsHeader header = new SafetensorsHeader(format.wireLayout());
            return new EncodedFiles(format, header, header(longest, wanted, header, 0).length);
        });
        synchronized (encoding) {
            if (values.length == 0) {
                values = new float[Math.toIntExact(layout.elementCount())];
            }
            file.duplicate()
                    .position(headerBytes)
                    .slice()
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asFloatBuffer()
                    .get(values);
            // The publisher's next versions take precedence over an encoded copy.
            if (!memory.hasFree(files.fileBytes() + PublishedParameters.RESERVED * (long) fileBytes)) {
                throw noMemory(wanted);
            }
            ByteBuffer copy = take(files.fileBytes(), files.buffers()).orElseThrow(() -> noMemory(wanted));
            copy.put(header(version, wanted, files.header(), files.headerBytes()));
            // Overwrites the values.
            files.format().encode(values, copy);
            return copy.rewind();
        }
    }

    private NoSnapshotMemoryException noMemory(ParameterEncoding wanted) {
        return new NoSnapshotMemoryException(
                "versions take %d bytes of %d, and the encoding %s gets no memory: slow readers still hold old versions"
                        .formatted(memory.usedBytes(), memory.limitBytes(), wanted.name()));
    }

    /** Returns the strings that every version carries. */
    Map<String, String> metadata() {
        return Collections.unmodifiableMap(metadata);
    }

    /** Returns which tensors are state, which no optimizer steps. */
    ParameterState state() {
        return state;
    }

    private byte[] header(
            ParameterVersion version, ParameterEncoding used, SafetensorsHeader header, int minimumBytes) {
        Map<String, String> all = new TreeMap<>(metadata);
        all.put("format", "pt");
        all.put(ParameterVersion.GENERATION_KEY, version.generation());
        all.put(ParameterVersion.VERSION_KEY, Long.toString(version.version()));
        // The client that put these parameters may have named an encoding; it says nothing about this file.
        all.remove(Encoding.METADATA_KEY);
        if (!used.isLossless()) {
            all.put(Encoding.METADATA_KEY, used.text());
        }
        return header.encode(all, minimumBytes);
    }

    /** Returns how many snapshots have a holder. */
    int alive() {
        return alive.get();
    }

    void recycle(ByteBuffer buffer) {
        alive.decrementAndGet();
        buffers.release(buffer);
        memory.release(fileBytes);
    }

    /** Takes the buffer of an encoded copy back. */
    void recycleEncoded(ParameterEncoding encoding, ByteBuffer buffer) {
        EncodedFiles files = encoded.get(encoding);
        if (files != null) {
            files.buffers().release(buffer);
            memory.release(files.fileBytes());
        }
    }

    /**
     * How files in one encoding are written.
     *
     * @param headerBytes of the longest header, so that every buffer fits every version
     * @param fileBytes   of each file
     */
    private record EncodedFiles(
            TensorFormat format,
            SafetensorsHeader header,
            int headerBytes,
            int fileBytes,
            BufferPool<ByteBuffer> buffers) {

        EncodedFiles(TensorFormat format, SafetensorsHeader header, int headerBytes) {
            this(
                    format,
                    header,
                    headerBytes,
                    Math.toIntExact(headerBytes + format.wireLayout().byteLength()),
                    BufferPool.ofDirectBuffers(SPARE_BUFFERS));
        }
    }
}
