package org.fleetgrad.worker.training;

import org.fleetgrad.client.GradientSender;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.jspecify.annotations.Nullable;

/**
 * Caches the channel of a container's last activation for the next one. So the residual of an encoding is not lost even if each
 * activation trains on only one shard. Not thread-safe.
 */
public final class CachedChannel {

    private record Cached(TensorLayout layout, ParameterState state, GradientSender channel) {}

    private @Nullable Cached cached;

    /** Starts empty. */
    public CachedChannel() {}

    /**
     * Returns the last activation's channel if its tensors, encoding and number of servers are the same; otherwise a new
     * one.
     *
     * @throws IllegalArgumentException when the encoding cannot carry these tensors
     */
    GradientSender of(NetworkSpec wanted, Encoding encoding, int servers) {
        Cached last = cached;
        if (last != null
                && last.layout().equals(wanted.layout())
                && last.state().equals(wanted.state())
                && last.channel().encoding().equals(encoding)
                && last.channel().servers() == servers) {
            return last.channel();
        }
        GradientSender opened = new GradientSender(wanted.layout(), wanted.state(), encoding, servers);
        cached = new Cached(wanted.layout(), wanted.state(), opened);
        return opened;
    }
}
