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
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.protocol.encoding.TensorFormat;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.ps.parameters.SnapshotMemory.NoSnapshotMemoryException;

/**
 * Writes versions of one parameter set into snapshots, in buffers that it reuses.
 *
 * <p>A version is written without the frozen tensors, which never change; a complete one is made for the readers that want
 * it. One thread writes versions. Any thread may convert a version or give its buffer back.
 */
final class SnapshotWriter {

    /** One buffer that is being written, and a few that readers release at the same time. */
    static final int SPARE_BUFFERS = 4;

    /**
     * The newest version, its encoded copy, and the next two: the minimum with which workers and steps continue.
     */
    static final int MIN_FILES = 4;

    private final FrozenValues frozen;
    private final Map<String, String> metadata;
    private final ParameterState state;
    /** What is written at once: the trainable tensors. */
    private final ParameterForm written;

    private final SafetensorsHeader plain;
    private final int headerBytes;
    private final int fileBytes;
    private final BufferPool<ByteBuffer> buffers = BufferPool.ofDirectBuffers(SPARE_BUFFERS);
    private final AtomicInteger alive = new AtomicInteger();
    private final ConcurrentMap<ParameterForm, FormFiles> forms = new ConcurrentHashMap<>();
    private final Object encoding = new Object();
    private final SnapshotMemory memory;

    /** The values that are being encoded, one version at a time; empty until the first request for another form. */
    private float[] trainable = {};

    /** All values, if some are frozen; empty until the first request for them. */
    private float[] all = {};

    /**
     * @param metadata strings that every version carries beside its own generation and number
     * @param memory   memory for all versions
     */
    SnapshotWriter(FrozenValues frozen, Map<String, String> metadata, String generation, SnapshotMemory memory) {
        this.frozen = frozen;
        this.memory = memory;
        this.metadata = new TreeMap<>(metadata);
        this.state = ParameterState.in(metadata).within(trainable());
        this.written = new ParameterForm(Encodings.PLAIN, !frozen.places().isWhole());
        this.plain = new SafetensorsHeader(trainable());
        // Room for the largest version, so that every header has the same size and every buffer fits every version.
        this.headerBytes = header(new ParameterVersion(generation, Long.MAX_VALUE), written, plain, 0).length;
        this.fileBytes = Math.toIntExact(headerBytes + trainable().byteLength());
        long complete = written.omitsFrozen() ? fileBytes + whole().byteLength() : 0;
        memory.raiseTo(MIN_FILES * (fileBytes + complete));
    }

    private TensorLayout whole() {
        return frozen.places().whole();
    }

    /** Returns the layout of a gradient. */
    TensorLayout trainable() {
        return frozen.places().layout();
    }

    /** Writes a version; returns nothing if there is no memory for it now. */
    Optional<ParameterSnapshot> write(ParameterVersion version, float[] values) {
        Optional<ByteBuffer> free = take(fileBytes, buffers);
        if (free.isEmpty()) {
            return Optional.empty();
        }
        ByteBuffer file = free.get();
        file.put(header(version, written, plain, headerBytes));
        FloatBuffer data = file.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
        Cores.each(values.length, (from, to) -> data.put(from, values, from, to - from));
        alive.incrementAndGet();
        return Optional.of(new ParameterSnapshot(version, whole(), file.rewind(), this));
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

    /** Returns the form that a request gets: if nothing is frozen, one that leaves out the frozen tensors is complete. */
    ParameterForm served(ParameterForm wanted) {
        return written.omitsFrozen() ? wanted : wanted.withFrozen();
    }

    /** Returns whether the files that {@link #write} makes are of this form. */
    boolean isWritten(ParameterForm form) {
        return form.encoding().isLossless() && form.omitsFrozen() == written.omitsFrozen();
    }

    /**
     * Writes a version in another form than it was written.
     *
     * @param file the version as it was written, held by the caller
     * @throws IllegalArgumentException when the encoding cannot carry these tensors
     */
    ByteBuffer convert(ParameterVersion version, ByteBuffer file, ParameterForm wanted) {
        ParameterVersion longest = new ParameterVersion(version.generation(), Long.MAX_VALUE);
        FormFiles files = forms.computeIfAbsent(wanted, absent -> {
            TensorFormat format = new TensorFormat(
                    wanted.encoding(), wanted.omitsFrozen() ? trainable() : whole(), ParameterState.in(metadata));
            SafetensorsHeader header = new SafetensorsHeader(format.wireLayout());
            return new FormFiles(format, header, header(longest, wanted, header, 0).length);
        });
        synchronized (encoding) {
            float[] values = values(file, wanted);
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

    /** Reads the values of a form out of a written version. */
    private float[] values(ByteBuffer file, ParameterForm wanted) {
        if (trainable.length == 0) {
            trainable = new float[Math.toIntExact(trainable().elementCount())];
        }
        file.duplicate()
                .position(headerBytes)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer()
                .get(trainable);
        if (wanted.omitsFrozen() == written.omitsFrozen()) {
            return trainable;
        }
        if (all.length == 0) {
            all = new float[frozen.count()];
        }
        frozen.copyWith(trainable, all);
        return all;
    }

    private NoSnapshotMemoryException noMemory(ParameterForm wanted) {
        return new NoSnapshotMemoryException(
                "versions take %d bytes of %d, and the encoding %s%s gets no memory: slow readers still hold old versions"
                        .formatted(
                                memory.usedBytes(),
                                memory.limitBytes(),
                                wanted.encoding().name(),
                                wanted.omitsFrozen() == written.omitsFrozen() ? "" : " of all tensors"));
    }

    /** Returns the strings that every version carries. */
    Map<String, String> metadata() {
        return Collections.unmodifiableMap(metadata);
    }

    /** Returns which trainable tensors are state, which no optimizer steps. */
    ParameterState state() {
        return state;
    }

    private byte[] header(ParameterVersion version, ParameterForm used, SafetensorsHeader header, int minimumBytes) {
        Map<String, String> all = new TreeMap<>(metadata);
        all.put("format", "pt");
        if (used.omitsFrozen()) {
            all.remove(ParameterState.KEY);
            if (!state.isEmpty()) {
                all.put(ParameterState.KEY, state.text());
            }
        }
        all.put(ParameterVersion.GENERATION_KEY, version.generation());
        all.put(ParameterVersion.VERSION_KEY, Long.toString(version.version()));
        // The client that put these parameters may have named an encoding; it says nothing about this file.
        all.remove(Encoding.METADATA_KEY);
        if (!used.encoding().isLossless()) {
            all.put(Encoding.METADATA_KEY, used.encoding().text());
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

    /** Takes the buffer of a copy in another form back. */
    void recycleConverted(ParameterForm form, ByteBuffer buffer) {
        FormFiles files = forms.get(form);
        if (files != null) {
            files.buffers().release(buffer);
            memory.release(files.fileBytes());
        }
    }

    /**
     * How files of one form are written.
     *
     * @param headerBytes of the longest header, so that every buffer fits every version
     * @param fileBytes   of each file
     */
    private record FormFiles(
            TensorFormat format,
            SafetensorsHeader header,
            int headerBytes,
            int fileBytes,
            BufferPool<ByteBuffer> buffers) {

        FormFiles(TensorFormat format, SafetensorsHeader header, int headerBytes) {
            this(
                    format,
                    header,
                    headerBytes,
                    Math.toIntExact(headerBytes + format.wireLayout().byteLength()),
                    BufferPool.ofDirectBuffers(SPARE_BUFFERS));
        }
    }
}
