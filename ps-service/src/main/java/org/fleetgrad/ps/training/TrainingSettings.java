package org.fleetgrad.ps.training;

import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings;

/**
 * How the run trains.
 *
 * @param mode          when gradients become a step
 * @param optimizer     what a step does
 * @param schedule      with which learning rate
 * @param queueCapacity checked gradients that may wait for the applier before a push is answered 503
 */
public record TrainingSettings(
        TrainingMode mode, OptimizerSettings optimizer, LearningRateSchedule schedule, int queueCapacity) {

    /** Checks the queue's size. */
    public TrainingSettings {
        if (queueCapacity < 1) {
            throw new IllegalArgumentException("queueCapacity must be 1 or more; it is " + queueCapacity);
        }
    }
}
