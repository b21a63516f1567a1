package org.fleetgrad.inference.model;

/**
 * How following goes.
 *
 * @param kind   what it is
 * @param detail the same for people
 */
public record FollowState(Kind kind, String detail) {

    /** What following can be like. */
    public enum Kind {
        /** Nothing was asked yet. */
        STARTING,
        /** Versions come. */
        FOLLOWING,
        /** The parameter server has no parameter set. */
        EMPTY,
        /** The parameter server has one of another network. */
        UNFIT,
        /** The parameter server cannot be reached, or does not answer as it should. */
        AWAY
    }
}
