package org.fleetgrad.ensemble;

import java.util.List;
import java.util.Optional;

/**
 * The members' responses to one request.
 *
 * @param ballots usable responses
 * @param refused responses that reject the request itself
 * @param leftOut those that gave neither
 */
record Poll(List<Ballot> ballots, List<Refusal> refused, List<LeftOut> leftOut) {

    /**
     * A member's response.
     *
     * @param member          that responded
     * @param network         complete name of its network
     * @param generation      of the parameters that answered
     * @param version         of the parameters that answered
     * @param images          one for each image, in order
     * @param accuracy        newest held-out accuracy known to the member
     * @param accuracyVersion version of that accuracy
     */
    record Ballot(
            Member member,
            String network,
            String generation,
            long version,
            List<Choice> images,
            Optional<Double> accuracy,
            Optional<Long> accuracyVersion) {

        /**
         * A member's class for one image.
         *
         * @param label         name of the class
         * @param index         number of the class
         * @param probabilities of each class
         */
        record Choice(String label, int index, double[] probabilities) {}
    }

    /** The outcome of one member's request. */
    sealed interface Returned permits Cast, Refusal, LeftOut {}

    /** It responded with a ballot. */
    record Cast(Ballot ballot) implements Returned {}

    /** It refused the request: its status and its problem. */
    record Refusal(int status, String body) implements Returned {}

    /** It did not respond in time, or its response is not usable. */
    record LeftOut(Member member, String why) implements Returned {}
}
