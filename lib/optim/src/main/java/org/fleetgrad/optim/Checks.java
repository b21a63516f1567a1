package org.fleetgrad.optim;

/** Checks the ranges of hyperparameters. */
final class Checks {

    private Checks() {}

    static void finite(String name, float value) {
        if (!Float.isFinite(value)) {
            throw new IllegalArgumentException("%s must be finite; it is %s".formatted(name, value));
        }
    }

    static void notNegative(String name, float value) {
        if (!(value >= 0) || !Float.isFinite(value)) {
            throw new IllegalArgumentException("%s must be 0 or more and finite; it is %s".formatted(name, value));
        }
    }

    static void positive(String name, float value) {
        if (!(value > 0) || !Float.isFinite(value)) {
            throw new IllegalArgumentException("%s must be more than 0 and finite; it is %s".formatted(name, value));
        }
    }

    /** Checks the decay of a running average: 0 or more and less than 1. */
    static void belowOne(String name, float value) {
        if (!(value >= 0 && value < 1)) {
            throw new IllegalArgumentException("%s must be 0 or more and less than 1; it is %s".formatted(name, value));
        }
    }

    static void atLeastOne(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException("%s must be 1 or more; it is %d".formatted(name, value));
        }
    }

    static void notNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException("%s must be 0 or more; it is %d".formatted(name, value));
        }
    }

    static void sizes(int size, float[] parameters, float[] gradient) {
        if (parameters.length != size || gradient.length != size) {
            throw new IllegalArgumentException("the optimizer has %d values, the parameters %d and the gradient %d"
                    .formatted(size, parameters.length, gradient.length));
        }
    }
}
