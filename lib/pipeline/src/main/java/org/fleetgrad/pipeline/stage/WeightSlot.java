package org.fleetgrad.pipeline.stage;

/**
 * A memory area of a {@link StageNetwork} that holds one copy of the stage's parameters.
 *
 * <p>Slots share no memory with each other, so setting one never changes another. Confined to the stage's thread.
 */
public interface WeightSlot extends AutoCloseable {

    /**
     * Overwrites the values in place, at the same addresses. The backward pass of a graph that was kept on this slot sees
     * the new values: its Jacobian uses them, with the activations of the forward pass. Must not fail because such a graph
     * exists.
     *
     * @param values {@link StageNetwork#parameterCount} values; only read
     */
    void set(float[] values);

    /**
     * Copies the values.
     *
     * @param target {@link StageNetwork#parameterCount} elements
     */
    void get(float[] target);

    /** Frees the memory. No activation that needs the slot may be alive. */
    @Override
    void close();
}
