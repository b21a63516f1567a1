package org.fleetgrad.worker.training;

import org.fleetgrad.client.GradientSender;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.jspecify.annotations.Nullable;

/**
 * Caches the channel of a container's last activation for the next one. So the residual of an encoding is not lost even if each
 * activation trains on only one shard. Not thread-safe.
 */
public final class CachedChannel {

    private @Nullable GradientSender cached;

    /** Starts empty. */
    public CachedChannel() {}

    /**
     * Returns the last activation's channel if its tensors, those that are frozen, encoding and number of servers are the
     * same; otherwise a new one.
     *
     * @throws IllegalArgumentException when the encoding cannot carry these tensors
     */
    GradientSender of(NetworkSpec wanted, FrozenTensors frozen, Encoding encoding, int servers) {
        GradientSender channel = cached;
        if (channel == null || !channel.isFor(wanted.layout(), wanted.state(), frozen, encoding, servers)) {
            channel = new GradientSender(wanted.layout(), wanted.state(), frozen, encoding, servers);
            cached = channel;
        }
        return channel;
    }
}
