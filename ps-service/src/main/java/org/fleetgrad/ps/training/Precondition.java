package org.fleetgrad.ps.training;

import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;

/** On what a write of the whole parameter set depends. */
public sealed interface Precondition {

    /** There is no parameter set yet: {@code If-None-Match: *}. */
    record Absent() implements Precondition {
        @Override
        public boolean holds(Optional<ParameterVersion> newest) {
            return newest.isEmpty();
        }
    }

    /** There is one, whichever: {@code If-Match: *}. */
    record Present() implements Precondition {
        @Override
        public boolean holds(Optional<ParameterVersion> newest) {
            return newest.isPresent();
        }
    }

    /** It is this one: {@code If-Match} with an entity tag. */
    record Is(String etag) implements Precondition {
        @Override
        public boolean holds(Optional<ParameterVersion> newest) {
            return newest.filter(version -> version.etag().equals(etag)).isPresent();
        }
    }

    /** Tells whether the write may go on, where {@code newest} is the parameter set before it. */
    boolean holds(Optional<ParameterVersion> newest);
}
