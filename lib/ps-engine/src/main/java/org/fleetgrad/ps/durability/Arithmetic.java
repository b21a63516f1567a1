package org.fleetgrad.ps.durability;

import org.fleetgrad.optim.OptimizerSpec;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.settings.TrainingSettings.DecayScope;

/**
 * The settings, besides the gradients, that the bits of a step depend on, as text that can be compared.
 *
 * @param optimizer optimizer and hyperparameters
 * @param rule      staleness rule and hyperparameters
 * @param schedule  learning rates
 * @param aggregation how gradients become one
 * @param rates     factors of the learning rate by patterns; empty if there are none
 * @param freeze    patterns of the tensors that no step changes; empty if there are none
 */
record Arithmetic(String optimizer, String rule, String schedule, String aggregation, String freeze, String rates) {

    static Arithmetic of(TrainingSettings settings) {
        return new Arithmetic(
                new OptimizerSpec(settings.optimizer(), settings.decay() == DecayScope.MATRICES).toString(),
                settings.rule().toString(),
                settings.schedule().toString(),
                settings.mode().aggregation().toString(),
                settings.freeze().toString(),
                settings.rates().toString());
    }

    /**
     * Returns whether a state of {@code other} can be continued with these settings; learning rates and aggregation may
     * differ.
     */
    boolean isCompatibleWith(Arithmetic other) {
        return hasSameBuffers(other) && freeze.equals(other.freeze);
    }

    /** Returns whether optimizer and rule remember the same of each trainable value. */
    boolean hasSameBuffers(Arithmetic other) {
        return optimizer.equals(other.optimizer) && rule.equals(other.rule);
    }

    @Override
    public String toString() {
        return "optimizer %s, staleness rule %s, schedule %s, aggregation %s, %s%s"
                .formatted(
                        optimizer,
                        rule,
                        schedule,
                        aggregation,
                        freeze.isEmpty() ? "nothing frozen" : "frozen " + freeze,
                        rates.isEmpty() ? "" : ", rates for " + rates);
    }
}
