package org.fleetgrad.ensemble;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The response of an ensemble: the JSON members of the inference API's response, and the contributing workers.
 *
 * @param code            200
 * @param predictions     one for each image or row, in order
 * @param unknown         categories of the rows that the model does not have, as the member of the oldest version notes them
 * @param version         the oldest version that answered
 * @param generation      its generation
 * @param newestVersion   the newest version that answered
 * @param accuracy        newest held-out accuracy known to a member
 * @param accuracyVersion version of that accuracy
 * @param network         complete name of the network
 * @param vote            {@code majority} or {@code mean}; of numbers and of labels always the latter
 * @param disagreed       images or rows on which not all members agreed; absent where numbers are predicted
 * @param members         those that answered
 * @param leftOut         those that did not, or are of another network, and why
 */
record EnsembleReply(
        int code,
        List<Prediction> predictions,
        @Nullable JsonNode unknown,
        long version,
        String generation,
        long newestVersion,
        @Nullable Double accuracy,
        @Nullable Long accuracyVersion,
        String network,
        String vote,
        @Nullable Integer disagreed,
        List<Voter> members,
        List<Absent> leftOut) {

    /** The result for one image or row. */
    sealed interface Prediction permits Image, Amount, Labels {}

    /** A class; {@code disagreed} is the number of members that named another one. */
    record Image(String label, @JsonProperty("class") int index, double[] probabilities, int disagreed)
            implements Prediction {}

    /**
     * A number, in the units of its column.
     *
     * @param target name of the column, if the members state it
     * @param value  mean of the members' numbers
     * @param min    smallest of them
     * @param max    largest of them
     * @param std    their standard deviation: root of the mean of the squared differences from the mean
     */
    record Amount(@Nullable String target, double value, double min, double max, double std) implements Prediction {}

    /** Several labels, by their names. */
    record Labels(Map<String, OneLabel> labels) implements Prediction {

        /** Returns on how many labels not all members agreed. */
        long disagreed() {
            return labels.values().stream()
                    .filter(label -> label.disagreed() > 0)
                    .count();
        }
    }

    /**
     * One of several labels.
     *
     * @param probability mean of the members' probabilities of yes
     * @param yes         whether it is above one half
     * @param disagreed   members that answered otherwise
     */
    record OneLabel(double probability, boolean yes, int disagreed) {}

    /** A member that responded. */
    record Voter(String worker, String address, long version, String generation) {}

    /** A member that was left out. */
    record Absent(String worker, String address, String why) {

        static Absent of(Poll.LeftOut left) {
            return new Absent(left.member().worker(), left.member().address().toString(), left.why());
        }
    }
}
