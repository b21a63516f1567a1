package org.fleetgrad.ps.durability;

import org.fleetgrad.ps.settings.DecayScope;
import org.fleetgrad.ps.settings.TrainingSettings;

/**
 * The settings, besides the gradients, that the bits of a step depend on, as text that can be compared.
 *
 * @param optimizer optimizer and hyperparameters
 * @param rule      staleness rule and hyperparameters
 * @param schedule  learning rates
 */
record Arithmetic(String optimizer, String rule, String schedule) {

    static Arithmetic of(TrainingSettings settings) {
        return new Arithmetic(
                optimizer(settings),
                settings.rule().describe(),
                settings.schedule().toString());
    }

    /** Says nothing of a scope that makes no difference, so that what was kept before there was one still fits. */
    private static String optimizer(TrainingSettings settings) {
        String described = settings.optimizer().describe();
        return settings.decay() == DecayScope.EVERYTHING ? described : described + " decaying matrices only";
    }

    /** Returns whether a state of {@code other} can be continued with these settings; the schedule may differ. */
    boolean hasStateOf(Arithmetic other) {
        return optimizer.equals(other.optimizer) && rule.equals(other.rule);
    }

    @Override
    public String toString() {
        return "optimizer %s, staleness rule %s, schedule %s".formatted(optimizer, rule, schedule);
    }
}
