package org.fleetgrad.ps.parameters;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * One version of the parameter set in wire form: the bytes are a whole safetensors file.
 *
 * <p>Immutable while held. The buffer goes back to its pool when the last holder lets go, so that a version costs no
 * allocation; a reader holds a snapshot for as long as it writes it to a socket.
 */
public final class ParameterSnapshot implements AutoCloseable {

    private final ParameterVersion version;
    private final TensorLayout layout;
    private final ByteBuffer file;
    private final Consumer<ByteBuffer> recycle;
    // INVARIANT: the publisher holds one; at zero the buffer is gone for good and can never be held again.
    private final AtomicInteger holders = new AtomicInteger(1);

    ParameterSnapshot(ParameterVersion version, TensorLayout layout, ByteBuffer file, Consumer<ByteBuffer> recycle) {
        this.version = version;
        this.layout = layout;
        this.file = file;
        this.recycle = recycle;
    }

    /** Returns which version this is. */
    public ParameterVersion version() {
        return version;
    }

    /** Returns the layout of the tensors. */
    public TensorLayout layout() {
        return layout;
    }

    /** Returns the safetensors file; a read-only view of its own, valid until {@link #close}. */
    public ByteBuffer file() {
        return file.asReadOnlyBuffer();
    }

    /** Takes hold of this snapshot if anyone still holds it. */
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

    /** Lets go of this snapshot; each holder calls it once. */
    @Override
    public void close() {
        int left = holders.decrementAndGet();
        if (left < 0) {
            throw new IllegalStateException("snapshot %s was let go of more often than held".formatted(version));
        }
        if (left == 0) {
            recycle.accept(file);
        }
    }
}
