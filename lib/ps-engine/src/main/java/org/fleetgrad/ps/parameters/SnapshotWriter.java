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
    private final ConcurrentMap<ParameterEncoding, EncodedSnapshots> encoded = new ConcurrentHashMap<>();
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
            return Optional.of(pool.take(bytes));
        } catch (OutOfMemoryError none) {
            memory.release(bytes);
            return Optional.empty();
        }
    }

    /** Returns the bytes of an unencoded version. */
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
        EncodedSnapshots writer = encoded.computeIfAbsent(wanted, absent -> {
            TensorFormat format = new TensorFormat(wanted, layout, state);
            SafetensorsHeader header = new SafetensorsHeader(format.wireLayout());
            return new EncodedSnapshots(format, header, header(longest, wanted, header, 0).length);
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
            if (!memory.hasFree(writer.fileBytes() + PublishedParameters.RESERVED * (long) fileBytes)) {
                throw noMemory(wanted);
            }
            ByteBuffer free = take(writer.fileBytes(), writer.buffers()).orElseThrow(() -> noMemory(wanted));
            return writer.write(free, header(version, wanted, writer.header(), writer.headerBytes()), values);
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

    /** Takes a snapshot's buffer back. */
    void recycle(ByteBuffer buffer) {
        alive.decrementAndGet();
        buffers.release(buffer);
        memory.release(fileBytes);
    }

    /** Takes the buffer of an encoded copy back. */
    void recycleEncoded(ParameterEncoding encoding, ByteBuffer buffer) {
        EncodedSnapshots writer = encoded.get(encoding);
        if (writer != null) {
            writer.recycle(buffer);
            memory.release(writer.fileBytes());
        }
    }

    /** Writes versions of one parameter set as files in one encoding, in buffers that it reuses. */
    private static final class EncodedSnapshots {

        private final TensorFormat format;
        private final SafetensorsHeader header;
        private final int headerBytes;
        private final int fileBytes;
        private final BufferPool<ByteBuffer> buffers = BufferPool.ofDirectBuffers(SnapshotWriter.SPARE_BUFFERS);

        /**
         * @param header      writes the headers of the files
         * @param headerBytes of the longest header, so that every buffer fits every version
         */
        EncodedSnapshots(TensorFormat format, SafetensorsHeader header, int headerBytes) {
            this.format = format;
            this.header = header;
            this.headerBytes = headerBytes;
            this.fileBytes = Math.toIntExact(headerBytes + format.wireLayout().byteLength());
        }

        /**
         * Writes a version.
         *
         * @param file   a buffer of {@link #buffers}
         * @param header its header, of {@link #headerBytes}
         * @param values the version's values; overwritten with undefined values
         */
        ByteBuffer write(ByteBuffer file, byte[] header, float[] values) {
            file.put(header);
            format.encode(values, file);
            return file.rewind();
        }

        /** Returns the bytes of each file. */
        int fileBytes() {
            return fileBytes;
        }

        BufferPool<ByteBuffer> buffers() {
            return buffers;
        }

        SafetensorsHeader header() {
            return header;
        }

        int headerBytes() {
            return headerBytes;
        }

        void recycle(ByteBuffer file) {
            buffers.release(file);
        }
    }
}
