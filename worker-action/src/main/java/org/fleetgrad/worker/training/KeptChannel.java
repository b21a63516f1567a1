package org.fleetgrad.worker.training;

import org.fleetgrad.client.GradientChannel;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.jspecify.annotations.Nullable;

/**
 * The channel of a container's last activation, for its next: what an encoding left out is not lost where an activation is
 * a shard. Not safe from several threads.
 */
public final class KeptChannel {

    private record Kept(TensorLayout layout, GradientChannel channel) {}

    private @Nullable Kept kept;

    /** Keeps nothing yet. */
    public KeptChannel() {}

    /**
     * Returns the last activation's channel where its gradients were of this layout and encoding, or a new one.
     *
     * @throws IllegalArgumentException when the encoding cannot carry these tensors
     */
    GradientChannel of(TensorLayout wanted, Encoding encoding) {
        Kept last = kept;
        if (last != null
                && last.layout().equals(wanted)
                && last.channel().encoding().equals(encoding)) {
            return last.channel();
        }
        GradientChannel opened = new GradientChannel(wanted, encoding);
        kept = new Kept(wanted, opened);
        return opened;
    }
}
