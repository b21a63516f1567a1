package org.fleetgrad.inference.shadow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.PredictionResult.Amount;
import org.fleetgrad.serving.PredictionResult.LabelAnswers;
import org.fleetgrad.serving.PredictionResult.Prediction;
import org.fleetgrad.serving.PredictionResult.Scores;

/** How often two versions predicted otherwise of the same samples; of the pairs that were compared last. Thread-safe. */
final class Disagreements {

    /** A model that trains has a new version many times a second. */
    static final int MOST_PAIRS = 64;

    private final Map<Pair, Sums> pairs = new LinkedHashMap<>(16, 0.75f, true);
    private long samples;
    private long differing;

    private record Pair(ParameterVersion served, ParameterVersion shadow) {}

    private static final class Sums {
        private long samples;
        private long differing;
        private double difference;
        private boolean isOfNumbers;
    }

    /** Compares two results of the same samples; nothing is counted if they answer different questions. */
    synchronized void compare(PredictionResult served, PredictionResult shadow) {
        List<? extends Prediction> ours = served.predictions();
        List<? extends Prediction> theirs = shadow.predictions();
        if (ours.size() != theirs.size()
                || ours.get(0).getClass() != theirs.get(0).getClass()
                || !isFinite(theirs)) {
            return;
        }
        Sums sums = pairs.computeIfAbsent(new Pair(served.version(), shadow.version()), unknown -> new Sums());
        if (pairs.size() > MOST_PAIRS) {
            pairs.remove(pairs.keySet().iterator().next());
        }
        for (int i = 0; i < ours.size(); i++) {
            boolean isOther = differ(ours.get(i), theirs.get(i));
            sums.samples++;
            sums.differing += isOther ? 1 : 0;
            samples++;
            differing += isOther ? 1 : 0;
            if (ours.get(i) instanceof Amount one && theirs.get(i) instanceof Amount other) {
                sums.isOfNumbers = true;
                sums.difference += Math.abs(one.value() - other.value());
            }
        }
    }

    /** A diverged version predicts NaN, which would stay in the sum. */
    private static boolean isFinite(List<? extends Prediction> predictions) {
        return predictions.stream().noneMatch(one -> one instanceof Amount amount && !Double.isFinite(amount.value()));
    }

    /** Classes differ if the most probable one is another; labels if any of them is; numbers by any difference. */
    private static boolean differ(Prediction one, Prediction other) {
        if (one instanceof Scores ours && other instanceof Scores theirs) {
            return !ours.label().equals(theirs.label());
        }
        if (one instanceof LabelAnswers ours && other instanceof LabelAnswers theirs) {
            return !yes(ours).equals(yes(theirs));
        }
        return !one.equals(other);
    }

    private static Map<String, Boolean> yes(LabelAnswers answers) {
        Map<String, Boolean> yes = new HashMap<>();
        answers.labels().forEach((label, answer) -> yes.put(label, answer.yes()));
        return yes;
    }

    /** Returns the figures of the pairs that were compared last, the last one first. */
    synchronized List<PairFigures> last() {
        List<PairFigures> all = new ArrayList<>(pairs.size());
        pairs.forEach((pair, sums) -> all.add(new PairFigures(
                pair.served(),
                pair.shadow(),
                sums.samples,
                sums.differing,
                sums.isOfNumbers ? Optional.of(sums.difference / (double) sums.samples) : Optional.empty())));
        Collections.reverse(all);
        return List.copyOf(all);
    }

    synchronized long samples() {
        return samples;
    }

    synchronized long differing() {
        return differing;
    }
}
