package org.fleetgrad.networks;

/** A network of the zoo, without libtorch: what it consists of, and how it begins. Stateless, safe from several threads. */
public sealed interface NetworkDefinition permits Architecture {

    /** Returns what the network takes, gives and consists of. */
    NetworkSpec spec();

    /**
     * Draws parameters as PyTorch initializes its layers, in the order of the spec's layout.
     *
     * @param seed the same seed gives the same bits everywhere, so that whichever worker comes first may put them
     */
    float[] initialParameters(long seed);
}
