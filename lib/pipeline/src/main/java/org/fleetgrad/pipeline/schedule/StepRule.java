package org.fleetgrad.pipeline.schedule;

/**
 * When a stage takes a step: after every {@code stepEvery} backward passes, and after the last of a window.
 *
 * @param stepEvery    number of micro-batches in a step, 1 or more
 * @param microBatches number of micro-batches in the window
 */
public record StepRule(int stepEvery, int microBatches) {

    /** Returns whether a step follows the backward pass number {@code backwards}, counted from 0. */
    public boolean stepsAfter(int backwards) {
        return backwards % stepEvery == stepEvery - 1 || backwards == microBatches - 1;
    }

    /**
     * Returns the factor of the learning rate in the step after this backward pass: 1, or {@code (n mod k) / k} in a last
     * step of fewer than {@code k} micro-batches (FTPipe's rule).
     */
    public double rateFactor(int backwards) {
        int rest = microBatches % stepEvery;
        return rest != 0 && backwards >= microBatches - rest ? (double) rest / stepEvery : 1;
    }

    /** Returns the number of steps in the window. */
    public int steps() {
        return (microBatches + stepEvery - 1) / stepEvery;
    }
}
