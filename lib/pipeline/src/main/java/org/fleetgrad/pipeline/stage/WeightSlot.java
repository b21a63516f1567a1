package org.fleetgrad.pipeline.stage;

/**
 * A place in the memory of a {@link StageNetwork} that holds one copy of the stage's parameters.
 *
 * <p>Slots share no memory with each other, so setting one never changes another. Used by the stage's thread only.
 */
public interface WeightSlot extends AutoCloseable {

    /**
     * Overwrites the values in place, at the same addresses. A graph that was kept by a forward pass on this slot sees
     * the new values when it goes backward: its Jacobian multiplies by them, with the activations that the forward pass
     * left. Must not be refused because such a graph exists.
     *
     * @param values {@link StageNetwork#parameterCount} values; only read
     */
    void set(float[] values);

    /**
     * Copies the values.
     *
     * @param target {@link StageNetwork#parameterCount} places
     */
    void get(float[] target);

    /** Frees the memory. No activation that needs the slot is alive then. */
    @Override
    void close();
}
