package org.fleetgrad.networks;

import java.util.List;

/**
 * Brings networks. The zoo is one; a jar on the class path may bring more, with its class's name in
 * {@code META-INF/services/org.fleetgrad.networks.NetworkProvider} (see {@link java.util.ServiceLoader}).
 */
public interface NetworkProvider {

    /** Returns the families; no name may be another provider's. */
    List<NetworkFamily> families();
}
