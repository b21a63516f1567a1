package org.fleetgrad.pipeline.training;

/** The learning rate of every step of a run. */
@FunctionalInterface
public interface StepRates {

    /**
     * Returns the learning rate of a step.
     *
     * @param step number of steps before it, over all windows
     */
    float at(long step);
}
