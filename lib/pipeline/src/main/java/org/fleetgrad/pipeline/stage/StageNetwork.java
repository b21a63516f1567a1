package org.fleetgrad.pipeline.stage;

import java.nio.FloatBuffer;
import java.util.Optional;
import java.util.OptionalInt;
import org.fleetgrad.pipeline.frame.Frame;

/**
 * The part of a network that one stage computes. It knows nothing of schedules, versions or optimizers.
 *
 * <p>All parameters, without the state, are one flat float32 array in a fixed order. State, such as BatchNorm's running
 * statistics, belongs to the stage, not to a slot: it is never stashed and never predicted. Training normalizes by the
 * statistics of the micro-batch.
 *
 * <p>One thread at a time uses a stage with all its slots and activations.
 */
public interface StageNetwork extends AutoCloseable {

    /** Returns whether this is the last stage: it ends in the mean loss, and needs labels. */
    boolean isLast();

    /** Returns the number of parameters, without state. */
    int parameterCount();

    /** Returns the number of values of the state; often 0. */
    int stateCount();

    /** Returns a new slot with a copy of these {@link #parameterCount} values. */
    WeightSlot allocate(float[] values);

    /**
     * Runs the forward pass of a micro-batch in training mode, on the last stage up to the loss, and updates the state once.
     *
     * @param input the activations of the stage before; on the first stage, the samples
     * @param keep  whether {@link #backward} will be called with the result. Otherwise only its output is kept
     */
    StageActivation forward(WeightSlot weights, MicroBatch batch, Frame input, Graph keep);

    /**
     * Repeats the forward pass of a micro-batch and keeps the graph. The state is not updated, because the first pass has
     * updated it already. With the same weights, the graph is bit-identical to the first one.
     *
     * @param input the input of the first pass
     */
    StageActivation recompute(WeightSlot weights, MicroBatch batch, Frame input);

    /**
     * Runs the backward pass through a kept graph, with the current values of its slot, and adds the gradient with respect
     * to the parameters to the accumulated gradient. Not for the last stage.
     *
     * @param outputGradient the gradient with respect to the output, with the output's shapes
     * @return the gradient with respect to the input; empty on the first stage, whose input is the samples
     */
    Optional<Frame> backward(StageActivation activation, Frame outputGradient);

    /**
     * Runs the backward pass from the loss of the last stage like {@link #backward}, with the gradient of
     * {@code factor * loss}.
     *
     * @return the gradient with respect to the input; empty if this is also the first stage
     */
    Optional<Frame> backwardFromLoss(StageActivation activation, float factor);

    /**
     * Returns the accumulated gradient in the order of the parameters, not a copy: a stage has no memory to spare. A step
     * may change it in place, and then {@link #clearGradient clears} it.
     *
     * @return {@link #parameterCount} values, valid until the next backward pass
     */
    float[] gradient();

    /** Sets the accumulated gradient to zero. */
    void clearGradient();

    /**
     * Copies the state.
     *
     * @param target {@link #stateCount} elements
     */
    void readState(float[] target);

    /** Overwrites the state with {@link #stateCount} values. */
    void writeState(float[] values);

    /** Returns the tensor that this stage shares with another one; empty on most stages. */
    default Optional<TiedTensor> tied() {
        return Optional.empty();
    }

    /**
     * Overwrites the last stage's copy of the tied tensor. No kept graph may need it any more.
     *
     * @param values as many as the tensor has
     */
    default void writeTied(FloatBuffer values) {
        throw new UnsupportedOperationException("this stage has no copy of another stage's tensor");
    }

    /** Returns the gradient of the last backward pass with respect to the last stage's copy of the tied tensor. */
    default float[] tiedGradient() {
        throw new UnsupportedOperationException("this stage has no copy of another stage's tensor");
    }

    /**
     * Gives the first stage the last one's gradient of a micro-batch. The next backward pass adds it to its own gradient of the
     * tied tensor, and accumulates their sum: the order of additions in one process.
     *
     * @param gradient as many values as the tensor has; read by the next backward pass
     */
    default void addTied(FloatBuffer gradient) {
        throw new UnsupportedOperationException("no other stage uses a tensor of this one");
    }

    /** Frees all memory. */
    @Override
    void close();

    /** Whether a forward pass retains what the backward pass needs. */
    enum Graph {
        RETAINED,
        DISCARDED
    }

    /** The result of a forward pass and, if it was kept, the graph for the backward pass. */
    interface StageActivation extends AutoCloseable {

        /**
         * Returns the frame for the next stage. While the graph is kept, each call makes a new frame.
         *
         * @throws IllegalStateException on the last stage, whose result is the loss; or if the graph was kept and is closed now
         */
        Frame output();

        /**
         * Returns the mean loss over the micro-batch.
         *
         * @throws IllegalStateException on every stage but the last
         */
        float loss();

        /** Returns how many samples of the micro-batch were classified correctly; empty on every stage but the last. */
        default OptionalInt correct() {
            return OptionalInt.empty();
        }

        /** Frees the graph and its tensors, with or without a backward pass. Idempotent. */
        @Override
        void close();
    }

    /**
     * A memory area of a {@link StageNetwork} that holds one copy of the stage's parameters.
     *
     * <p>Slots share no memory with each other, so setting one never changes another. Confined to the stage's thread.
     */
    interface WeightSlot extends AutoCloseable {

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
}
