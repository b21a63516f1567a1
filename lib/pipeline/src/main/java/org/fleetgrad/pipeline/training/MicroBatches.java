package org.fleetgrad.pipeline.training;

import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.stage.MicroBatch;

/**
 * The micro-batches of one window, from an empty pipeline to its flush. Every stage has the same ones, in the same order,
 * and reads what it needs of them itself; stages in one process ask from several threads at a time.
 */
public interface MicroBatches {

    /** Returns how many there are. */
    int count();

    /**
     * Returns one of them.
     *
     * @param place      from 0
     * @param withLabels whether the labels are needed, as the last stage does
     */
    MicroBatch at(int place, boolean withLabels);

    /** Returns the samples of one of them, as the input of the first stage, which alone asks. */
    Frame samples(int place);
}
