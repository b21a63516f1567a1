package org.fleetgrad.evaluator.source;

import java.io.IOException;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.jspecify.annotations.Nullable;

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

    /**
     * Decides which versions are evaluated: the first of each generation, and then every n-th at least. Confined to one
     * thread.
     */
    final class Spacing {

        private final long every;
        private @Nullable ParameterVersion last;

        /**
         * @param every versions from one evaluation to the next, 1 or more
         */
        Spacing(long every) {
            this.every = every;
        }

        /** Returns whether a version is far enough from the last one, or before it: then the server rolled back. */
        boolean isDue(ParameterVersion version) {
            ParameterVersion before = last;
            return before == null
                    || !before.generation().equals(version.generation())
                    || version.version() < before.version()
                    || version.version() - before.version() >= every;
        }

        /** Returns whether this version was the last one. */
        boolean isLast(ParameterVersion version) {
            return version.equals(last);
        }

        /** Records the version that was evaluated last. */
        void note(ParameterVersion version) {
            last = version;
        }
    }
}
