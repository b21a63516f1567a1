package org.fleetgrad.worker.training;

import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.worker.training.GradientAccumulator.Mean;

/** Turns batches into what is pushed. For one thread. */
sealed interface GradientSource permits GradientAccumulator, LocalTraining {

    /** Begins at parameters that were just loaded into the network. */
    void begin(TensorSet parameters);

    /** Returns whether a batch of {@code size} samples belongs to the same push as those before it. */
    boolean takes(int size);

    /**
     * Adds a batch of a shard's samples; {@link #takes} its size.
     *
     * @param epoch       that decides what is drawn for the samples
     * @param dropoutSeed of the batch's dropout masks
     */
    void add(Shard shard, int[] batch, long epoch, long dropoutSeed) throws TrainingFailedException;

    /** Returns whether no batch was added since the last {@link #drain}. */
    boolean isEmpty();

    /** Returns whether the batches so far are to be pushed. */
    boolean isFull();

    /** Returns what is pushed for the batches so far, and begins anew. Drain before other parameters are loaded. */
    Mean drain();
}
