package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDArray;

/** A layer with its tensors resolved: computes one batch. */
@FunctionalInterface
interface Step {

    /** Computes the output; leaves the input open, and may return it. */
    PtNDArray run(PtNDArray input, Pass pass);
}
