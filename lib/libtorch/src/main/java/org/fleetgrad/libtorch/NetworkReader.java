package org.fleetgrad.libtorch;

import org.fleetgrad.networks.NetworkSpec;

/**
 * Predicts with the parameters of a {@link Network} that is being trained, in evaluation mode and with an input of its own.
 *
 * <p>A reader may compute in another thread than the network. It changes no mode of the network: dropout stays active in
 * training, normalization still observes, and neither the accumulated gradient nor a random generator is touched. A reader
 * itself is for one thread at a time. It must not be used once its network is closed.
 */
public interface NetworkReader extends AutoCloseable {

    /** Returns the inputs, outputs and parameters of the network. */
    NetworkSpec spec();

    /**
     * Computes logits in evaluation mode, without a gradient, as {@link Network#logits} does.
     *
     * @param images at least {@code count} images; further ones are not read
     * @return [count, classes], row-major
     */
    float[] logits(float[] images, int count);

    /** Frees libtorch's memory of the reader; the network stays open. */
    @Override
    void close();
}
