package org.fleetgrad.ps.parameters;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * One version of the parameter set in wire form: the bytes are a complete safetensors file.
 *
 * <p>Immutable while held. A client that requests another {@link ParameterForm} gets a copy: the same version in other bytes. A
 * reader holds a snapshot while it is written to a socket. When the last holder releases it, the buffers return to
 * their pools, so that a version costs no allocation.
 */
public final class ParameterSnapshot implements AutoCloseable {

    private final ParameterVersion version;
    private final TensorLayout layout;
    private final ByteBuffer file;
    private final SnapshotWriter writer;
    // Made once, at the first request; concurrent requests wait for it.
    private final ConcurrentMap<ParameterForm, ByteBuffer> converted = new ConcurrentHashMap<>();
    // INVARIANT: the publisher counts as one holder; at zero the buffer is recycled, and the snapshot can never be held
    // again.
    private final AtomicInteger holders = new AtomicInteger(1);

    ParameterSnapshot(ParameterVersion version, TensorLayout layout, ByteBuffer file, SnapshotWriter writer) {
        this.version = version;
        this.layout = layout;
        this.file = file;
        this.writer = writer;
    }

    public ParameterVersion version() {
        return version;
    }

    public TensorLayout layout() {
        return layout;
    }

    /** Returns the strings that every version of this history carries. */
    public Map<String, String> metadata() {
        return writer.metadata();
    }

    /** Returns the layout of a gradient: the tensors that are not frozen. */
    public TensorLayout trainable() {
        return writer.trainable();
    }

    /** Returns which of the trainable tensors are state, which no optimizer steps. */
    public ParameterState state() {
        return writer.state();
    }

    /**
     * Returns the safetensors file in a form; a read-only view of its own, valid until {@link #close}.
     *
     * @throws IllegalArgumentException when the encoding cannot carry these tensors
     */
    public ByteBuffer file(ParameterForm wanted) {
        ParameterForm form = writer.served(wanted);
        if (writer.isWritten(form)) {
            return file.asReadOnlyBuffer();
        }
        return converted
                .computeIfAbsent(form, asked -> writer.convert(version, file, asked))
                .asReadOnlyBuffer();
    }

    /** Tells whether a reader holds this snapshot, beside the publisher. */
    boolean isRead() {
        return holders.get() > 1;
    }

    /** Holds this snapshot; returns false if its last holder has already released it. */
    boolean tryHold() {
        while (true) {
            int now = holders.get();
            if (now == 0) {
                return false;
            }
            if (holders.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    /** Releases this snapshot; each holder calls it once. */
    @Override
    public void close() {
        int left = holders.decrementAndGet();
        if (left < 0) {
            throw new IllegalStateException("snapshot %s was released more often than it was held".formatted(version));
        }
        if (left == 0) {
            writer.recycle(file);
            converted.forEach(writer::recycleConverted);
        }
    }
}
