package org.fleetgrad.ps.durability;

import org.fleetgrad.ps.settings.TrainingSettings;

/**
 * What the bits of a step depend on beside the gradients, in words that are compared.
 *
 * @param optimizer optimizer and hyperparameters
 * @param rule      staleness rule and hyperparameters
 * @param schedule  learning rates
 */
record Arithmetic(String optimizer, String rule, String schedule) {

    static Arithmetic of(TrainingSettings settings) {
        return new Arithmetic(
                settings.optimizer().describe(),
                settings.rule().describe(),
                settings.schedule().toString());
    }

    /** Tells whether the state of one is that of the other. */
    boolean hasStateOf(Arithmetic other) {
        return optimizer.equals(other.optimizer) && rule.equals(other.rule);
    }

    @Override
    public String toString() {
        return "optimizer %s, staleness rule %s, schedule %s".formatted(optimizer, rule, schedule);
    }
}
