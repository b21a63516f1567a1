package org.fleetgrad.client;

import org.fleetgrad.protocol.ParameterVersion;

/** The result of putting an initial parameter set. */
public sealed interface PutResult {

    /**
     * It is now the run's parameter set.
     *
     * @param version the version under which it is served
     */
    record Accepted(ParameterVersion version) implements PutResult {}

    /** Another set was put first: pull that one. */
    record AlreadyInitialized() implements PutResult {}
}
