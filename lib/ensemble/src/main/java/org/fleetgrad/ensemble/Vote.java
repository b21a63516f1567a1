package org.fleetgrad.ensemble;

import java.util.List;
import org.fleetgrad.ensemble.Poll.Ballot;

/** How the members' predictions for one image are combined. */
public enum Vote {

    /** The class that most members predict; on a tie, the most probable in the mean. */
    MAJORITY,

    /** The class that is most probable in the mean. */
    MEAN;

    /**
     * The combined prediction for one image.
     *
     * @param label         name of the class
     * @param index         number of the class
     * @param probabilities means over the members
     * @param disagreed     members that predicted another class
     */
    record Outcome(String label, int index, double[] probabilities, int disagreed) {}

    /**
     * Counts.
     *
     * @param choices one per member, over the same classes; at least one
     */
    Outcome of(List<Ballot.Choice> choices) {
        double[] mean = mean(choices);
        int[] votes = new int[mean.length];
        choices.forEach(choice -> votes[choice.index()]++);
        int best = 0;
        for (int i = 1; i < mean.length; i++) {
            boolean isDecided = this == MAJORITY && votes[i] != votes[best];
            boolean isMore = isDecided ? votes[i] > votes[best] : mean[i] > mean[best];
            best = isMore ? i : best;
        }
        int winner = best;
        String label = choices.stream()
                .filter(choice -> choice.index() == winner)
                .map(Ballot.Choice::label)
                .findFirst()
                // By the mean a class can win that no member predicted.
                .orElse(Integer.toString(winner));
        return new Outcome(label, winner, mean, choices.size() - votes[winner]);
    }

    private static double[] mean(List<Ballot.Choice> choices) {
        double[] mean = new double[choices.get(0).probabilities().length];
        for (Ballot.Choice choice : choices) {
            for (int i = 0; i < mean.length; i++) {
                mean[i] += choice.probabilities()[i] / choices.size();
            }
        }
        return mean;
    }
}
