package org.fleetgrad.serving;

import org.fleetgrad.libtorch.TextDecoder;

/** Opens decoders that continue texts with the parameters of a {@link Classifier}. Thread-safe. */
public interface Decoders {

    /** Returns the bytes of the keys and values that a decoder caches. */
    long bytes(int mostTokens);

    /**
     * Opens a decoder. It computes with the parameters that are loaded; none may be loaded while it is open.
     *
     * @param mostTokens the most tokens of the text, its prompt included; they may be more than the network's context
     */
    TextDecoder open(int mostTokens);
}
