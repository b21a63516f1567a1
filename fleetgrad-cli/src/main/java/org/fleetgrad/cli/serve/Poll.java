package org.fleetgrad.cli.serve;

import java.util.List;

/**
 * What the members said to one request.
 *
 * @param ballots answers
 * @param refused answers that say that the request itself is wrong
 * @param leftOut those that gave neither
 */
record Poll(List<Ballot> ballots, List<Refusal> refused, List<LeftOut> leftOut) {

    /** What became of one member's question. */
    sealed interface Returned permits Cast, Refusal, LeftOut {}

    /** It answered. */
    record Cast(Ballot ballot) implements Returned {}

    /** It refused the request: its status and its problem. */
    record Refusal(int status, String body) implements Returned {}

    /** It did not answer in time, or with something that does not count. */
    record LeftOut(Member member, String why) implements Returned {}
}
