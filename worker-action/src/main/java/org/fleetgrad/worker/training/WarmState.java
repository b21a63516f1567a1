package org.fleetgrad.worker.training;

import java.util.Optional;
import org.fleetgrad.client.GradientSender;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.optim.LocalSteps;
import org.fleetgrad.optim.Optimizer;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.jspecify.annotations.Nullable;

/**
 * What a container keeps from its last activation for the next one: the channel, with the residual of its encoding, and the inner
 * optimizer of local steps. So neither is lost even if each activation trains on only one shard. Not thread-safe.
 */
public final class WarmState {

    private @Nullable GradientSender channel;
    private Optional<Inner> inner = Optional.empty();

    /** An inner optimizer, with what it was made for. */
    private record Inner(LocalSteps settings, TensorLayout trainable, Optimizer optimizer) {

        boolean isFor(LocalSteps wanted, TensorLayout layout) {
            return settings.inner().equals(wanted.inner()) && trainable.equals(layout);
        }
    }

    /** Starts empty. */
    public WarmState() {}

    /**
     * Returns the last activation's channel if its tensors, those that are frozen, encoding and number of servers are the
     * same; otherwise a new one.
     *
     * @throws IllegalArgumentException when the encoding cannot carry these tensors
     */
    GradientSender channel(NetworkSpec wanted, FrozenTensors frozen, Encoding encoding, int servers) {
        GradientSender last = channel;
        if (last == null || !last.isFor(wanted.layout(), wanted.state(), frozen, encoding, servers)) {
            last = new GradientSender(wanted.layout(), wanted.state(), frozen, encoding, servers);
            channel = last;
        }
        return last;
    }

    /** Returns the last activation's inner optimizer if its settings and tensors are the same; otherwise a new one. */
    Optimizer inner(LocalSteps settings, NetworkSpec network, TensorLayout trainable) {
        Inner last = inner.filter(before -> before.isFor(settings, trainable))
                .orElseGet(() -> new Inner(
                        settings, trainable, LocalTraining.optimizer(settings.inner(), network.state(), trainable)));
        inner = Optional.of(last);
        return last.optimizer();
    }
}
