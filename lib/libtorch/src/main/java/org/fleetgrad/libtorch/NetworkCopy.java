package org.fleetgrad.libtorch;

/**
 * A reader with a copy of the network's parameters and state. It answers with the values of its last {@link #renew}, whatever
 * the network loads meanwhile.
 */
public interface NetworkCopy extends NetworkReader {

    /**
     * Copies the network's current parameters and state. No thread may compute with this copy, or load the network, meanwhile.
     */
    void renew();
}
