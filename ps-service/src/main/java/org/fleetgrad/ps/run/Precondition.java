package org.fleetgrad.ps.run;

import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;

/** The condition for a write of the complete parameter set. */
public sealed interface Precondition {

    /** There is no parameter set yet: {@code If-None-Match: *}. */
    record Absent() implements Precondition {
        @Override
        public boolean holds(Optional<ParameterVersion> newest) {
            return newest.isEmpty();
        }
    }

    /** There is a parameter set of any version: {@code If-Match: *}. */
    record Present() implements Precondition {
        @Override
        public boolean holds(Optional<ParameterVersion> newest) {
            return newest.isPresent();
        }
    }

    /** The newest version is this one: {@code If-Match} with an entity tag. */
    record Is(String etag) implements Precondition {
        @Override
        public boolean holds(Optional<ParameterVersion> newest) {
            return newest.filter(version -> version.etag().equals(etag)).isPresent();
        }
    }

    /** Tells whether the write may proceed; {@code newest} is the version before it. */
    boolean holds(Optional<ParameterVersion> newest);
}
