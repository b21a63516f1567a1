package org.fleetgrad.protocol.messages;

import java.util.Comparator;
import java.util.List;

/**
 * Which classes are taken for which.
 *
 * @param macroF1   mean F1 of the classes that occur among the labels or the predictions, as scikit-learn's {@code f1_score} with
 *     {@code average="macro"}
 * @param figures   of each class, in the order of the network's outputs
 * @param confusion {@code confusion[i][j]} is the number of samples of class i that are predicted as class j
 */
public record ClassDetails(double macroF1, List<ClassFigures> figures, List<List<Long>> confusion) {

    /** Most classes of which there are details: the confusion matrix has a count for each pair. */
    public static final int MOST_CLASSES = 100;

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if there are too many classes, or the matrix is not one of them
     */
    public ClassDetails {
        figures = List.copyOf(figures);
        confusion = confusion.stream().map(List::copyOf).toList();
        int classes = figures.size();
        if (classes > MOST_CLASSES
                || confusion.size() != classes
                || confusion.stream().anyMatch(row -> row.size() != classes)) {
            throw new IllegalArgumentException(
                    "the confusion matrix of %d classes, at most %d, has a row and a column for each; it has %d rows"
                            .formatted(classes, MOST_CLASSES, confusion.size()));
        }
    }

    /** Returns the classes of which most samples are predicted as another class, by their share, the worst first. */
    public List<ClassFigures> worst(int most) {
        return figures.stream()
                .filter(figure -> figure.samples() > 0)
                .sorted(Comparator.comparingDouble(ClassFigures::recall))
                .limit(most)
                .toList();
    }

    /**
     * How well a class is found.
     *
     * @param name      of the class
     * @param samples   held-out samples of it
     * @param precision share of the samples predicted as it that are of it; 0 if there are none
     * @param recall    share of the samples of it that are predicted as it, its accuracy; 0 if there are none
     * @param f1        harmonic mean of precision and recall; 0 if both are
     */
    public record ClassFigures(String name, long samples, double precision, double recall, double f1) {}
}
