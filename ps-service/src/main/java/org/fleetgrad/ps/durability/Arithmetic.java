package org.fleetgrad.ps.durability;

import org.fleetgrad.ps.aggregation.Aggregation;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.settings.TrainingSettings.DecayScope;
import org.jspecify.annotations.Nullable;

/**
 * The settings, besides the gradients, that the bits of a step depend on, as text that can be compared.
 *
 * @param optimizer optimizer and hyperparameters
 * @param rule      staleness rule and hyperparameters
 * @param schedule  learning rates
 * @param aggregation how gradients become one; files of releases that knew only the mean do not name it
 */
record Arithmetic(
        String optimizer,
        String rule,
        String schedule,
        @Nullable String aggregation) {

    private static final String MEAN = new Aggregation.Mean().describe();

    /** A missing aggregation means the mean. */
    Arithmetic {
        aggregation = aggregation == null ? MEAN : aggregation;
    }

    static Arithmetic of(TrainingSettings settings) {
        return new Arithmetic(
                optimizer(settings),
                settings.rule().describe(),
                settings.schedule().toString(),
                settings.mode().aggregation().describe());
    }

    /** Omits the default decay scope, so that states persisted before the scope existed still match. */
    private static String optimizer(TrainingSettings settings) {
        String described = settings.optimizer().describe();
        return settings.decay() == DecayScope.EVERYTHING ? described : described + " decaying matrices only";
    }

    /**
     * Returns whether a state of {@code other} can be continued with these settings; schedule and aggregation may
     * differ.
     */
    boolean hasStateOf(Arithmetic other) {
        return optimizer.equals(other.optimizer) && rule.equals(other.rule);
    }

    @Override
    public String toString() {
        return "optimizer %s, staleness rule %s, schedule %s, aggregation %s"
                .formatted(optimizer, rule, schedule, aggregation);
    }
}
