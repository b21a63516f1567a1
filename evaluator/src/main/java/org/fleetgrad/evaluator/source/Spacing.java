package org.fleetgrad.evaluator.source;

import org.fleetgrad.protocol.ParameterVersion;
import org.jspecify.annotations.Nullable;

/** Decides which versions are evaluated: the first of each generation, and then every n-th at least. Confined to one thread. */
final class Spacing {

    private final long every;
    private @Nullable ParameterVersion last;

    /**
     * @param every versions from one evaluation to the next, 1 or more
     */
    Spacing(long every) {
        this.every = every;
    }

    /** Returns whether a version is far enough from the last one. A version before the last one is: the server rolled back. */
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
