package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDArray;

/**
 * One pass through a network.
 *
 * @param tensors     by their index in the layout; in training, state tensors are replaced by the buffers that observe
 * @param isTraining  whether normalization uses the batch's statistics, and dropout drops
 * @param dropoutSeed of the masks
 */
record Pass(PtNDArray[] tensors, boolean isTraining, long dropoutSeed) {}
