package org.fleetgrad.serving.evaluation;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.protocol.messages.NumberPairs;

/** Keeps some targets with their predictions, evenly spaced over all: the same samples for each version. Confined to one thread. */
final class KeptPairs {

    private final NumberTarget column;
    private final int total;
    private final int most;
    private final List<Double> truth = new ArrayList<>();
    private final List<Double> predicted = new ArrayList<>();
    private int seen;
    private int chosen;

    /** @param total number of samples that will be added */
    KeptPairs(NumberTarget column, int total) {
        this.column = column;
        this.total = total;
        this.most = Math.min(NumberPairs.MOST_PAIRS, total);
    }

    /** Adds a target and its prediction, in standard deviations from the mean. */
    void add(float target, float prediction) {
        boolean isChosen = chosen < most && seen == (long) chosen * total / most;
        seen++;
        if (!isChosen) {
            return;
        }
        chosen++;
        double value = column.inUnits(prediction);
        // A column of enormous values may have a prediction that is no double; JSON has no infinity.
        if (Double.isFinite(value)) {
            truth.add(column.inUnits(target));
            predicted.add(value);
        }
    }

    NumberPairs details() {
        return new NumberPairs(column.name(), truth, predicted);
    }
}
