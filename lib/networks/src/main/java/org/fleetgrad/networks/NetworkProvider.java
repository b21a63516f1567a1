package org.fleetgrad.networks;

import java.util.List;

/**
 * Provides networks. The zoo is one provider; a jar on the class path, or the jar of an OpenWhisk action, may provide more,
 * with the class name in {@code META-INF/services/org.fleetgrad.networks.NetworkProvider} (see {@link
 * java.util.ServiceLoader}). {@code examples/own-network} is such a jar.
 */
public interface NetworkProvider {

    /** Returns the families; no name may be another provider's. */
    List<NetworkFamily> families();
}
