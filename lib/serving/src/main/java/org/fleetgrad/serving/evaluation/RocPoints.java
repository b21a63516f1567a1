package org.fleetgrad.serving.evaluation;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.protocol.messages.RocCurve;

/**
 * The points of a ROC curve, as scikit-learn's {@code roc_curve} computes them: one for each distinct score, so that rows of equal scores
 * are one step, without those that lie on a line between their neighbours.
 */
final class RocPoints {

    /** Numbers of the rows at or above each distinct score, from the highest on. */
    private final int[] falsePositives;

    private final int[] truePositives;
    private final int count;

    /**
     * Computes the points.
     *
     * @param yes scores of the rows of the second class, sorted; at least one
     * @param no  scores of the rows of the first class, sorted; at least one
     */
    RocPoints(float[] yes, float[] no) {
        falsePositives = new int[yes.length + no.length];
        truePositives = new int[yes.length + no.length];
        int above = 0;
        int aboveNo = 0;
        int points = 0;
        while (above < yes.length || aboveNo < no.length) {
            float threshold = highest(yes, above, no, aboveNo);
            while (above < yes.length && Float.compare(at(yes, above), threshold) == 0) {
                above++;
            }
            while (aboveNo < no.length && Float.compare(at(no, aboveNo), threshold) == 0) {
                aboveNo++;
            }
            truePositives[points] = above;
            falsePositives[points] = aboveNo;
            points++;
        }
        count = points;
    }

    /** Returns the score at a rank, 0 being the highest. */
    private static float at(float[] sorted, int rank) {
        return sorted[sorted.length - 1 - rank];
    }

    private static float highest(float[] yes, int rank, float[] no, int rankNo) {
        if (rank == yes.length) {
            return at(no, rankNo);
        }
        return rankNo == no.length ? at(yes, rank) : Math.max(at(yes, rank), at(no, rankNo));
    }

    /** Returns the curve from (0, 0) to (1, 1); of too many points it takes some, evenly by their rank, and both ends. */
    RocCurve curve() {
        List<Integer> corners = corners();
        // One more: the curve begins above the highest score, where no row is predicted as the second class.
        int all = corners.size() + 1;
        int most = Math.min(all, RocCurve.MOST_POINTS);
        List<Double> falseRates = new ArrayList<>(most);
        List<Double> trueRates = new ArrayList<>(most);
        for (int i = 0; i < most; i++) {
            int place = (int) Math.round((double) i * (all - 1) / (most - 1));
            int corner = place == 0 ? -1 : corners.get(place - 1);
            falseRates.add(rate(falsePositives, corner));
            trueRates.add(rate(truePositives, corner));
        }
        return new RocCurve(falseRates, trueRates);
    }

    private double rate(int[] rows, int point) {
        return point < 0 ? 0 : (double) rows[point] / rows[count - 1];
    }

    private List<Integer> corners() {
        List<Integer> corners = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (i == 0 || i == count - 1 || turns(falsePositives, i) || turns(truePositives, i)) {
                corners.add(i);
            }
        }
        return corners;
    }

    private static boolean turns(int[] rows, int point) {
        return rows[point + 1] - rows[point] != rows[point] - rows[point - 1];
    }
}
