package org.fleetgrad.evaluator.source;

import java.io.IOException;

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
}
