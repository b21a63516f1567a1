package org.fleetgrad.inference.model;

import org.fleetgrad.protocol.tensor.TensorSet;

/** One instance of the network with parameters of its own. Not safe from several threads: who has it guards it. */
public interface Classifier extends AutoCloseable {

    /**
     * Takes over the values of {@code parameters}.
     *
     * @throws IllegalArgumentException when they are not of this network; then it must not answer until it loads others
     */
    void load(TensorSet parameters);

    /**
     * Computes the logits of normalized images.
     *
     * @param images [count, channels, height, width]
     * @return [count, classes]
     */
    float[] logits(float[] images, int count);

    @Override
    void close();
}
