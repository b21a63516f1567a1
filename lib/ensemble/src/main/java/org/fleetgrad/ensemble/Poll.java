package org.fleetgrad.ensemble;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

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
     * @param answers         one for each sample, in order; one or more, all of one kind
     * @param unknown         categories that the rows have and the model does not, as the member noted them
     * @param accuracy        newest held-out accuracy known to the member
     * @param accuracyVersion version of that accuracy
     */
    record Ballot(
            Member member,
            String network,
            String generation,
            long version,
            List<Answer> answers,
            Optional<JsonNode> unknown,
            Optional<Double> accuracy,
            Optional<Long> accuracyVersion) {

        /**
         * Checks the answers.
         *
         * @throws IllegalArgumentException if there are none, or they are of several kinds
         */
        Ballot {
            answers = List.copyOf(answers);
            List<String> kinds = answers.stream().map(Answer::kind).distinct().toList();
            if (kinds.size() != 1) {
                throw new IllegalArgumentException("predictions of %s".formatted(kinds));
            }
        }

        /** Returns what the member predicts. */
        String kind() {
            return answers.get(0).kind();
        }

        /** A member's answer for one sample. */
        sealed interface Answer permits Choice, Amount, Labels {

            /** Returns what is predicted, as words: only answers of one kind can be combined. */
            String kind();
        }

        /**
         * A class.
         *
         * @param label         name of the class
         * @param index         number of the class
         * @param probabilities of each class
         */
        record Choice(String label, int index, double[] probabilities) implements Answer {
            @Override
            public String kind() {
                return "classes";
            }
        }

        /**
         * Several labels.
         *
         * @param probabilities of yes, by the names of the labels
         */
        record Labels(Map<String, Double> probabilities) implements Answer {

            Labels {
                // Map.copyOf would lose their order.
                probabilities = Collections.unmodifiableMap(new LinkedHashMap<>(probabilities));
            }

            @Override
            public String kind() {
                return "the labels %s".formatted(String.join(", ", probabilities.keySet()));
            }
        }

        /**
         * A number.
         *
         * @param target name of the column that it is of, if the member states it
         * @param value  in the units of the column
         */
        record Amount(Optional<String> target, double value) implements Answer {
            @Override
            public String kind() {
                return target.map("a number, the column '%s'"::formatted).orElse("a number");
            }
        }
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
