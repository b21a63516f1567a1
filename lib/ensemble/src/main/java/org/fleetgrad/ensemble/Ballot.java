package org.fleetgrad.ensemble;

import java.util.List;
import java.util.Optional;

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
