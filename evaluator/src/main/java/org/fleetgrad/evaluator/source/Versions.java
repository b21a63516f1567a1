package org.fleetgrad.evaluator.source;

import java.io.IOException;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;

/** A source of versions. */
public interface Versions {

    /** Receives one version after the other. */
    @FunctionalInterface
    interface Visitor {

        /** Receives a version; returns whether it wants more. */
        boolean visit(NamedVersion version) throws IOException, InterruptedException;
    }

    /**
     * Visits the versions, in the order in which they were created, while the visitor wants more.
     *
     * @throws IOException if they cannot be read
     */
    void each(Visitor visitor) throws IOException, InterruptedException;

    /**
     * A version that can be evaluated.
     *
     * @param name       its source, for users: the name of a checkpoint or of a file; empty for a server's
     * @param version    the version
     * @param parameters of the version; their metadata names the network
     */
    record NamedVersion(String name, ParameterVersion version, TensorSet parameters) {}
}
