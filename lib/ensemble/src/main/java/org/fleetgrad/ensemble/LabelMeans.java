package org.fleetgrad.ensemble;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.ensemble.Poll.Ballot;

/** How the members' labels of one row are combined: the mean of their probabilities, label by label. */
final class LabelMeans {

    private static final double HALF = 0.5;

    private LabelMeans() {}

    /**
     * Combines them.
     *
     * @param rows one for each member, of the same labels; at least one
     */
    static EnsembleReply.Labels of(List<Ballot.Labels> rows) {
        Map<String, EnsembleReply.OneLabel> means = new LinkedHashMap<>();
        for (String label : rows.get(0).probabilities().keySet()) {
            double[] each = rows.stream()
                    .mapToDouble(row -> row.probabilities().getOrDefault(label, 0.0))
                    .toArray();
            double mean = 0;
            for (double probability : each) {
                mean += probability / each.length;
            }
            boolean isYes = mean > HALF;
            int disagreed = 0;
            for (double probability : each) {
                disagreed += probability > HALF == isYes ? 0 : 1;
            }
            means.put(label, new EnsembleReply.OneLabel(mean, isYes, disagreed));
        }
        return new EnsembleReply.Labels(means);
    }
}
