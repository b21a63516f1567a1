package org.fleetgrad.serving;

import java.util.Optional;
import org.fleetgrad.protocol.tensor.TensorSet;

/** One instance of the network with its own parameters. Not thread-safe: its owner must guard it. */
public interface Classifier extends AutoCloseable {

    /**
     * Copies the values of {@code parameters}.
     *
     * @throws IllegalArgumentException if they are not of this network; then it must not be used until a later load succeeds
     */
    void load(TensorSet parameters);

    /**
     * Computes the logits of normalized images.
     *
     * @param images [count, channels, height, width]
     * @return [count, classes]
     */
    float[] logits(float[] images, int count);

    /** Returns what continues texts; empty if it is no language model. */
    default Optional<Decoders> decoders() {
        return Optional.empty();
    }

    @Override
    void close();
}
