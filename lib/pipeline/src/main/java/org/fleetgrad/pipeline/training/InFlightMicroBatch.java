package org.fleetgrad.pipeline.training;

import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.stage.StageNetwork.StageActivation;
import org.jspecify.annotations.Nullable;

/**
 * A micro-batch between its forward and its backward pass on one stage.
 *
 * @param batch      the micro-batch
 * @param input      for recomputation; null if its graph was kept
 * @param activation the graph; null if it will be recomputed
 * @param weights    those of the forward pass; null if they are no longer needed
 * @param version    of the weights of the forward pass
 * @param predicted  number of steps by which they were predicted
 */
record InFlightMicroBatch(
        MicroBatch batch,
        @Nullable Frame input,
        @Nullable StageActivation activation,
        WeightVersions.@Nullable Lease weights,
        long version,
        int predicted)
        implements AutoCloseable {

    @Override
    public void close() {
        // Close the graph first: it uses the weights.
        if (activation != null) {
            activation.close();
        }
        if (weights != null) {
            weights.close();
        }
    }
}
