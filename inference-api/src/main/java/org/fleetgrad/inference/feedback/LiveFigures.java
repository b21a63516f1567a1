package org.fleetgrad.inference.feedback;

import java.util.Optional;
import org.fleetgrad.files.statistics.WilsonInterval;
import org.fleetgrad.protocol.ParameterVersion;

/**
 * How good the predictions of a version were, by the labels that came later.
 *
 * @param version     the version
 * @param isOfClasses whether it predicts classes; otherwise numbers
 * @param samples     predictions that have a label
 * @param right       those whose class is the label
 * @param absolute    sum of the absolute errors of numbers
 * @param squared     sum of their squares
 */
public record LiveFigures(
        ParameterVersion version, boolean isOfClasses, long samples, long right, double absolute, double squared) {

    /** Returns the share of predictions that were right; empty for numbers, and without labels. */
    public Optional<Double> accuracy() {
        return isOfClasses && samples > 0 ? Optional.of((double) right / (double) samples) : Optional.empty();
    }

    /** Returns where the accuracy of very many predictions would be, with a confidence of 95%. */
    public Optional<WilsonInterval> interval() {
        return accuracy().map(share -> WilsonInterval.of(right, samples));
    }

    /** Returns the mean absolute error, in the units of the target; empty for classes, and without labels. */
    public Optional<Double> mae() {
        return isOfClasses || samples == 0 ? Optional.empty() : Optional.of(absolute / (double) samples);
    }

    /** Returns the root of the mean squared error, likewise. */
    public Optional<Double> rmse() {
        return isOfClasses || samples == 0 ? Optional.empty() : Optional.of(Math.sqrt(squared / (double) samples));
    }
}
