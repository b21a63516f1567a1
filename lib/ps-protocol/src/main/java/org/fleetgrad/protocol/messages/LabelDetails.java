package org.fleetgrad.protocol.messages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How well each of several labels is found.
 *
 * @param labels in the order of the network's outputs; of more than {@link #MOST_LABELS} those with the smallest F1
 * @param total  number of labels
 */
public record LabelDetails(List<OneLabel> labels, int total) {

    /** Most labels of which there are details. */
    public static final int MOST_LABELS = 100;

    /** Most labels with a ROC curve: a curve takes as many bytes as the figures of a hundred labels. */
    public static final int MOST_CURVES = 12;

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if there are too many labels or curves
     */
    public LabelDetails {
        labels = List.copyOf(labels);
        long curves = labels.stream().filter(label -> label.roc() != null).count();
        if (labels.size() > MOST_LABELS || labels.size() > total || curves > MOST_CURVES) {
            throw new IllegalArgumentException(
                    "there are details of at most %d of %d labels, and at most %d curves; there are %d and %d"
                            .formatted(MOST_LABELS, total, MOST_CURVES, labels.size(), curves));
        }
    }

    /**
     * How well a label is found.
     *
     * @param name    of the label
     * @param samples held-out samples that have it
     * @param figures of it, as of two classes
     * @param roc     its ROC curve; absent if all samples have it, or none, or there are more than {@link #MOST_CURVES} labels
     */
    public record OneLabel(
            String name,
            long samples,
            BinaryFigures figures,
            @Nullable RocCurve roc) {}
}
