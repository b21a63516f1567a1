package org.fleetgrad.runs.shards;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.imbalance.ClassCounts;
import org.fleetgrad.datasets.imbalance.ClassWeighting;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.networks.ClassWeights;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.settings.ImbalanceSettings;

/** What a user wants done about rare classes must fit the classes of the dataset. */
public final class FittingImbalance {

    private static final int MOST_SHOWN = 20;

    private FittingImbalance() {}

    /**
     * Returns the weights of the classes.
     *
     * @throws RunFailedException if the samples have no classes that anything can be done about, or the user's weights do not
     *     fit them
     */
    public static ClassWeights weights(ImbalanceSettings wanted, Dataset dataset) throws RunFailedException {
        List<String> classes = dataset.schema().classes();
        if (wanted.sampling() == Sampling.BALANCED && classes.isEmpty()) {
            throw RunFailedException.input(
                    "--sampling balanced is for samples that have a class each; the dataset %s has %s"
                            .formatted(dataset.name(), dataset.schema().task()));
        }
        if (wanted.weighting() instanceof ClassWeighting.Equal) {
            return ClassWeights.EQUAL;
        }
        if (classes.isEmpty()) {
            throw RunFailedException.input(
                    "--class-weights are for samples that have a class each; the dataset %s has %s"
                            .formatted(dataset.name(), dataset.schema().task()));
        }
        try {
            return wanted.weighting().of(classes, ClassCounts.of(dataset.train(), classes.size()));
        } catch (IllegalArgumentException unfit) {
            throw RunFailedException.input("--class-weights: " + unfit.getMessage());
        }
    }

    /** Returns the weights as a line for people. */
    public static String shown(ClassWeights weights, List<String> classes) {
        String listed = IntStream.range(0, Math.min(MOST_SHOWN, classes.size()))
                .mapToObj(label ->
                        "%s %s".formatted(classes.get(label), String.format(Locale.ROOT, "%.4g", weights.of(label))))
                .collect(Collectors.joining(", "));
        return "class weights: %s%s"
                .formatted(
                        listed,
                        classes.size() <= MOST_SHOWN ? "" : " and %d more".formatted(classes.size() - MOST_SHOWN));
    }
}
