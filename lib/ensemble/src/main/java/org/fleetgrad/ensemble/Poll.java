package org.fleetgrad.ensemble;

import java.util.List;

/**
 * The members' responses to one request.
 *
 * @param ballots usable responses
 * @param refused responses that reject the request itself
 * @param leftOut those that gave neither
 */
record Poll(List<Ballot> ballots, List<Refusal> refused, List<LeftOut> leftOut) {

    /** The outcome of one member's request. */
    sealed interface Returned permits Cast, Refusal, LeftOut {}

    /** It responded with a ballot. */
    record Cast(Ballot ballot) implements Returned {}

    /** It refused the request: its status and its problem. */
    record Refusal(int status, String body) implements Returned {}

    /** It did not respond in time, or its response is not usable. */
    record LeftOut(Member member, String why) implements Returned {}
}
