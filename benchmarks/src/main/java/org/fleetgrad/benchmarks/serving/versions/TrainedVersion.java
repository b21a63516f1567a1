package org.fleetgrad.benchmarks.serving.versions;

import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A version of a training.
 *
 * @param number     steps before it
 * @param parameters its values, which never change
 */
public record TrainedVersion(long number, TensorSet parameters) {}
