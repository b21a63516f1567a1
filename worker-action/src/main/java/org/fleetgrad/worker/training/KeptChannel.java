package org.fleetgrad.worker.training;

import org.fleetgrad.client.GradientChannels;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.jspecify.annotations.Nullable;

/**
 * The channel of a container's last activation, for its next: what an encoding left out is not lost where an activation is
 * a shard. Not safe from several threads.
 */
public final class KeptChannel {

    private record Kept(TensorLayout layout, GradientChannels channel) {}

    private @Nullable Kept kept;

    /** Keeps nothing yet. */
    public KeptChannel() {}

    /**
     * Returns the last activation's channel where its gradients were of this layout and encoding, to as many servers, or a new one.
     *
     * @throws IllegalArgumentException when the encoding cannot carry these tensors
     */
    GradientChannels of(TensorLayout wanted, Encoding encoding, int servers) {
        Kept last = kept;
        if (last != null
                && last.layout().equals(wanted)
                && last.channel().encoding().equals(encoding)
                && last.channel().servers() == servers) {
            return last.channel();
        }
        GradientChannels opened = new GradientChannels(wanted, encoding, servers);
        kept = new Kept(wanted, opened);
        return opened;
    }
}
