package org.fleetgrad.networks;

import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A network in libtorch's memory: parameters that can be loaded, a gradient that accumulates, predictions.
 *
 * <p>Not thread-safe. Images are float32, normalized as in training, [count, channels, height, width] flat in row-major
 * order.
 */
public interface Network extends AutoCloseable {

    /** Returns the inputs, outputs and parameters of the network. */
    NetworkSpec spec();

    /**
     * Copies the parameters; keeps no reference to the set.
     *
     * @throws IllegalArgumentException if its tensors differ from the network's; the message names the first that
     *     differs
     */
    void load(TensorSet parameters);

    /**
     * Runs forward and backward: adds the gradient of the mean cross-entropy over the batch to the accumulated
     * gradient.
     *
     * @param images at least {@code count} images; the rest is not read
     * @param labels at least {@code count} classes, each from 0 to {@code spec().classes() - 1}
     * @return the mean loss; if training has diverged, the loss and the gradient may not be finite
     */
    float accumulate(float[] images, int[] labels, int count);

    /**
     * Writes the accumulated gradient times {@code scale}, in the order of the layout, and resets it to zero.
     *
     * @param target exactly as many values as the layout has
     */
    void drainGradient(float[] target, float scale);

    /** Resets the accumulated gradient to zero. */
    void discardGradient();

    /**
     * Computes logits, without a gradient.
     *
     * @param images at least {@code count} images; the rest is not read
     * @return [count, classes], row-major
     */
    float[] logits(float[] images, int count);

    /** Frees libtorch's memory; the network must not be used afterwards. */
    @Override
    void close();
}
