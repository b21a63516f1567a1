package org.fleetgrad.serving.evaluation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.EvaluationDetails;
import org.fleetgrad.protocol.messages.LabelDetails;
import org.fleetgrad.protocol.messages.LabelDetails.OneLabel;
import org.fleetgrad.protocol.messages.LabelFigures;
import org.jspecify.annotations.Nullable;

/** The predictions of several labels, each of which is yes or no. Confined to one thread. */
final class LabelScores extends Scores {

    private final List<String> names;
    private final List<BinaryScores> labels;
    private long exact;
    private long wrong;

    /** @param names of the labels, in the order of the network's outputs */
    LabelScores(List<String> names) {
        this.names = names;
        this.labels = Stream.generate(BinaryScores::new).limit(names.size()).toList();
    }

    /** Of each label, log(1 + exp(x)) of no and log(1 + exp(-x)) of yes, with x the log-odds of yes; their mean. */
    @Override
    double lossOf(float[] outputs, int from, float[] targets, int at) {
        double sum = 0;
        int mistakes = 0;
        for (int label = 0; label < labels.size(); label++) {
            float output = outputs[from + label];
            boolean isYes = targets[at + label] == 1;
            labels.get(label).add(output, isYes);
            mistakes += output > 0 == isYes ? 0 : 1;
            double against = isYes ? -(double) output : output;
            sum += Math.max(0, against) + Math.log1p(Math.exp(-Math.abs(against)));
        }
        exact += mistakes == 0 ? 1 : 0;
        wrong += mistakes;
        return sum / labels.size();
    }

    @Override
    Optional<LabelFigures> labels() {
        List<BinaryFigures> each = labels.stream().map(BinaryScores::figures).toList();
        long hits = labels.stream().mapToLong(BinaryScores::hits).sum();
        long predicted = labels.stream().mapToLong(BinaryScores::predicted).sum();
        long there = labels.stream().mapToLong(BinaryScores::positives).sum();
        List<Double> areas = new ArrayList<>();
        each.stream().map(BinaryFigures::auc).filter(Objects::nonNull).forEach(areas::add);
        return Optional.of(new LabelFigures(
                BinaryScores.ratio(2 * hits, predicted + there),
                each.stream().mapToDouble(BinaryFigures::f1).average().orElse(0),
                (double) exact / count(),
                (double) wrong / ((double) count() * labels.size()),
                mean(areas),
                labels.size(),
                labels.size() - areas.size()));
    }

    private static @Nullable Double mean(List<Double> areas) {
        OptionalDouble mean = areas.stream().mapToDouble(Double::doubleValue).average();
        return mean.isPresent() ? (Double) mean.getAsDouble() : null;
    }

    @Override
    EvaluationDetails details() {
        boolean hasCurves = labels.size() <= LabelDetails.MOST_CURVES;
        List<OneLabel> all = new ArrayList<>();
        for (int label = 0; label < labels.size(); label++) {
            BinaryScores scores = labels.get(label);
            all.add(new OneLabel(
                    names.get(label),
                    scores.positives(),
                    scores.figures(),
                    hasCurves ? scores.roc().orElse(null) : null));
        }
        if (all.size() > LabelDetails.MOST_LABELS) {
            all.sort(Comparator.comparingDouble(one -> one.figures().f1()));
        }
        return new EvaluationDetails(
                null,
                null,
                null,
                new LabelDetails(all.stream().limit(LabelDetails.MOST_LABELS).toList(), labels.size()));
    }
}
