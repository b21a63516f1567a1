package org.fleetgrad.client;

import org.fleetgrad.protocol.ParameterVersion;

/** What an initial parameter set can be answered. */
public sealed interface PutResult {

    /**
     * It is the parameter set now.
     *
     * @param version the version under which it is served
     */
    record Accepted(ParameterVersion version) implements PutResult {}

    /** Another came first: pull that one. */
    record AlreadyInitialized() implements PutResult {}
}
