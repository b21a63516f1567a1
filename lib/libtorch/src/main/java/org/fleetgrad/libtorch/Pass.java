package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDArray;

/**
 * One way through a network.
 *
 * @param tensors     by their place in the layout; in training, the places of state have the buffers that observe
 * @param isTraining  whether normalization uses the batch's statistics, and dropout drops
 * @param dropoutSeed of the masks
 */
record Pass(PtNDArray[] tensors, boolean isTraining, long dropoutSeed) {}
