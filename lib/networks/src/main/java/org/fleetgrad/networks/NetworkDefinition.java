package org.fleetgrad.networks;

/** A network of the zoo, without libtorch: its shape and its initial parameters. Stateless and thread-safe. */
public sealed interface NetworkDefinition permits Architecture {

    /** Returns the inputs, outputs and parameters of the network. */
    NetworkSpec spec();

    /**
     * Draws parameters as PyTorch initializes its layers, in the order of the spec's layout.
     *
     * @param seed the same seed gives the same bits everywhere, so it does not matter which worker puts the parameters
     *     first
     */
    float[] initialParameters(long seed);
}
