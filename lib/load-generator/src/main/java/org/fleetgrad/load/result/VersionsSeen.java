package org.fleetgrad.load.result;

import java.util.HashSet;
import java.util.Set;

/** The different versions that answered. Counts up to {@link #MOST}, so that a long run needs no more memory. Not thread-safe. */
final class VersionsSeen {

    /** Some 20 MB; a run would have to see 200,000 steps. */
    static final int MOST = 200_000;

    private final Set<AnsweringVersion> versions = new HashSet<>();

    void add(AnsweringVersion version) {
        if (versions.size() < MOST) {
            versions.add(version);
        }
    }

    int count() {
        return versions.size();
    }
}
