package org.fleetgrad.optim;

/**
 * How the positions of a parameter vector are stepped.
 *
 * @param decay where weight decay acts
 * @param rates the factors of the learning rate
 */
public record StepRanges(DecayRanges decay, RateRanges rates) {

    /** Checks that both are of one vector. */
    public StepRanges {
        if (decay.size() != rates.size()) {
            throw new IllegalArgumentException("the ranges of weight decay have %d values, those of learning rates %d"
                    .formatted(decay.size(), rates.size()));
        }
    }

    /** Returns ranges that all have the same learning rate. */
    public static StepRanges of(DecayRanges decay) {
        return new StepRanges(decay, RateRanges.all(decay.size()));
    }

    /** Returns the number of parameters. */
    public int size() {
        return decay.size();
    }
}
