package org.fleetgrad.protocol.encoding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Encodes successive gradients so that nothing is lost for good: the residual that the encoding left out of one
 * gradient is added to the next. p = g + e, c = C(p), e = p − D(c), from e = 0; so after any number of gradients Σ D(c)
 * + e = Σ g. <a href="https://arxiv.org/abs/1809.07599">Stich et al., sparsified SGD with memory, 2018</a>.
 *
 * <p>Not thread-safe.
 */
public final class ErrorFeedback {

    private final TensorFormat format;
    private final ByteBuffer wire;
    private final int count;
    // INVARIANT: the residual of every gradient before the last. The residual that includes the last one is in next
    // until that gradient counts.
    private float[] residual;
    private float[] next;
    private boolean isOpen;

    /**
     * An encoded gradient.
     *
     * @param layout of its tensors on the wire
     * @param bytes  of these tensors, in an array
     */
    public record Encoded(TensorLayout layout, ByteBuffer bytes) {}

    /**
     * @param format of the gradients, which are float32 tensors
     * @throws IllegalArgumentException when they are not
     */
    public ErrorFeedback(TensorFormat format) {
        if (!format.layout().isAllFloat32()) {
            throw new IllegalArgumentException(
                    "only float32 tensors are encoded as " + format.encoding().text());
        }
        this.format = format;
        int bytes = Math.toIntExact(format.wireLayout().byteLength());
        this.wire = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        this.count = Math.toIntExact(format.layout().elementCount());
        // A lossless encoding leaves no residual.
        this.next = new float[format.encoding().isLossless() ? 0 : count];
        this.residual = next.clone();
        forget();
    }

    /**
     * Encodes a gradient. This call confirms that the gradient before it counts, unless it was reverted.
     *
     * @param gradient in the order of the layout; not changed, and not retained
     * @return the tensors on the wire; the next call overwrites their bytes
     * @throws EncodingException when gradient plus residual has a value that is not finite, which no lossy encoding
     *     carries; then nothing has changed
     */
    public Encoded encode(float[] gradient) throws EncodingException {
        if (gradient.length != count) {
            throw new IllegalArgumentException(
                    "the layout has %d float32 values, the gradient %d".formatted(count, gradient.length));
        }
        if (format.encoding() instanceof LosslessEncoding lossless) {
            TensorLayout written = lossless.write(format.layout(), gradient, wire.clear());
            return new Encoded(written, wire.flip().duplicate());
        }
        settle();
        for (int i = 0; i < count; i++) {
            next[i] = gradient[i] + residual[i];
        }
        requireFinite();
        isOpen = true;
        format.encode(next, wire.clear());
        return new Encoded(format.wireLayout(), wire.flip().duplicate());
    }

    /**
     * Reports that the server dropped the gradient encoded last: the residual is reset to its value before it. Its
     * samples may be computed again, and would count twice.
     */
    public void revert() {
        isOpen = false;
    }

    /** Discards the residual: another history begins. */
    public void forget() {
        isOpen = false;
        // -0 is the one value that keeps the bits of any value it is added to, those of -0 too.
        Arrays.fill(residual, -0f);
    }

    /** Returns a copy of the residual of the gradients that count. */
    public float[] residual() {
        settle();
        return format.encoding().isLossless() ? new float[count] : residual.clone();
    }

    private void settle() {
        if (isOpen) {
            float[] before = residual;
            residual = next;
            next = before;
            isOpen = false;
        }
    }

    private void requireFinite() throws EncodingException {
        int from = 0;
        for (TensorSpec spec : format.layout().specs()) {
            int to = from + (int) spec.elementCount();
            for (int i = from; i < to; i++) {
                if (!Float.isFinite(next[i])) {
                    throw new EncodingException(
                            spec.name(),
                            i - from,
                            "value %d of %d of tensor '%s' is %s, which does not travel as %s"
                                    .formatted(
                                            i - from,
                                            spec.elementCount(),
                                            spec.name(),
                                            next[i],
                                            format.encoding().text()));
                }
            }
            from = to;
        }
    }
}
