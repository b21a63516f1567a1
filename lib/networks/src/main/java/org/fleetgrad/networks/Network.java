package org.fleetgrad.networks;

import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A network in libtorch's memory: parameters that can be loaded, a gradient that accumulates, predictions.
 *
 * <p>Not safe from several threads. Images are float32, normalized as the network was trained, [count, channels, height,
 * width] flat in row-major order.
 */
public interface Network extends AutoCloseable {

    /** Returns what the network takes, gives and consists of. */
    NetworkSpec spec();

    /**
     * Copies parameters in; the set is not kept.
     *
     * @throws IllegalArgumentException when its tensors are not the network's; the message names the first that differs
     */
    void load(TensorSet parameters);

    /**
     * Runs forward and backward: adds the gradient of the mean cross-entropy over the batch to what has accumulated.
     *
     * @param images at least {@code count} images; what follows them is not read
     * @param labels at least {@code count} classes, each from 0 to {@code spec().classes() - 1}
     * @return the mean loss; not finite where training has diverged, and then so may be the gradient
     */
    float accumulate(float[] images, int[] labels, int count);

    /**
     * Writes the accumulated gradient times {@code scale}, in the order of the layout, and begins again at zero.
     *
     * @param target exactly as many values as the layout has
     */
    void drainGradient(float[] target, float scale);

    /** Begins the accumulation again at zero. */
    void discardGradient();

    /**
     * Computes logits, without a gradient.
     *
     * @param images at least {@code count} images; what follows them is not read
     * @return [count, classes], row-major
     */
    float[] logits(float[] images, int count);

    /** Frees libtorch's memory; the network is of no use afterwards. */
    @Override
    void close();
}
