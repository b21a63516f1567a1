package org.fleetgrad.ensemble;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The response of an ensemble: the JSON members of the inference API's response, and the contributing workers.
 *
 * @param code            200
 * @param predictions     one for each image, in order
 * @param version         the oldest version that answered
 * @param generation      its generation
 * @param newestVersion   the newest version that answered
 * @param accuracy        newest held-out accuracy known to a member
 * @param accuracyVersion version of that accuracy
 * @param network         complete name of the network
 * @param vote            {@code majority} or {@code mean}
 * @param disagreed       images on which not all members agreed
 * @param members         those that answered
 * @param leftOut         those that did not, or are of another network, and why
 */
record EnsembleReply(
        int code,
        List<Image> predictions,
        long version,
        String generation,
        long newestVersion,
        @Nullable Double accuracy,
        @Nullable Long accuracyVersion,
        String network,
        String vote,
        int disagreed,
        List<Voter> members,
        List<Absent> leftOut) {

    /** The result for one image; {@code disagreed} is the number of members that named another class. */
    record Image(String label, @JsonProperty("class") int index, double[] probabilities, int disagreed) {}

    /** A member that responded. */
    record Voter(String worker, String address, long version, String generation) {}

    /** A member that was left out. */
    record Absent(String worker, String address, String why) {

        static Absent of(Poll.LeftOut left) {
            return new Absent(left.member().worker(), left.member().address().toString(), left.why());
        }
    }
}
