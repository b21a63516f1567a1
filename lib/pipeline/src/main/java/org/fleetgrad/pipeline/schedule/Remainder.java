package org.fleetgrad.pipeline.schedule;

/** What happens to the micro-batches at the end of a window that do not fill a step. */
public enum Remainder {
    /** They form a step whose learning rate is scaled by the share of the step that they fill. */
    SCALED,
    /** They are dropped. */
    DROPPED;

    /** Returns how many of a window's micro-batches are trained on. */
    public int used(int microBatches, int stepEvery) {
        return this == DROPPED ? microBatches - microBatches % stepEvery : microBatches;
    }
}
