package org.fleetgrad.inference.following;

/**
 * The state of following the parameter server.
 *
 * @param kind   the kind of state
 * @param detail the same as text
 */
public record FollowState(Kind kind, String detail) {

    /** The kinds of state. */
    public enum Kind {
        /** No request was made yet. */
        STARTING,
        /** New versions arrive. */
        FOLLOWING,
        /** The parameter server has no parameter set. */
        EMPTY,
        /** The parameter server has a parameter set of another network. */
        INCOMPATIBLE,
        /** The parameter server is unreachable, or sends invalid responses. */
        UNREACHABLE
    }
}
