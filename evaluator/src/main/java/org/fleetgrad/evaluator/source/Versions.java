package org.fleetgrad.evaluator.source;

import java.io.IOException;

/** A source of versions. */
public interface Versions {

    /** Takes one version after the other. */
    @FunctionalInterface
    interface Visitor {

        /** Takes a version; returns whether it wants more. */
        boolean visit(NamedVersion version) throws IOException, InterruptedException;
    }

    /**
     * Hands out the versions, in the order in which they were made, as long as the visitor wants more.
     *
     * @throws IOException if they cannot be read
     */
    void each(Visitor visitor) throws IOException, InterruptedException;
}
