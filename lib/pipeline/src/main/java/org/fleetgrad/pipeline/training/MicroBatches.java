package org.fleetgrad.pipeline.training;

import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.stage.MicroBatch;

/**
 * The micro-batches of one window, from an empty pipeline to its flush. Every stage has the same ones, in the same order,
 * and reads what it needs itself. Stages in one process call it from several threads concurrently.
 */
public interface MicroBatches {

    /** Returns how many there are. */
    int count();

    /**
     * Returns one of them.
     *
     * @param place      from 0
     * @param withLabels whether the labels are needed; only the last stage needs them
     */
    MicroBatch at(int place, boolean withLabels);

    /** Returns the samples of one of them. Only the first stage calls this, for its input. */
    Frame samples(int place);
}
