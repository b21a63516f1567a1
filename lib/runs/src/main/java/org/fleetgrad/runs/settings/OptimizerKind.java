package org.fleetgrad.runs.settings;

import java.util.Locale;

/** The optimizers; the names are ps-service's. */
public enum OptimizerKind {
    SGD(0.01, 0),
    ADAM(0.001, 0),
    ADAMW(0.001, 0.01);

    private final double learningRate;
    private final double weightDecay;

    OptimizerKind(double learningRate, double weightDecay) {
        this.learningRate = learningRate;
        this.weightDecay = weightDecay;
    }

    /** Returns the learning rate of a run that names none. */
    public double learningRate() {
        return learningRate;
    }

    /** Returns the weight decay of a run that names none: PyTorch's. */
    public double weightDecay() {
        return weightDecay;
    }

    /** Returns the optimizer as ps-service's setting and the command line have it. */
    public String setting() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return setting();
    }
}
