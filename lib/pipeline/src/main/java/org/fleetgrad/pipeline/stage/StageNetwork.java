package org.fleetgrad.pipeline.stage;

import java.util.Optional;
import org.fleetgrad.pipeline.frame.Frame;

/**
 * The part of a network that one stage computes, on some engine. It knows nothing of schedules, versions or optimizers.
 *
 * <p>All parameters are one flat array of float32 in an order that never changes, without the state. State, such as
 * BatchNorm's running statistics, belongs to the stage and not to a slot: it is never stashed and never predicted.
 * Training normalizes by the statistics of the micro-batch.
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
     * Computes a micro-batch forward in training mode, on the last stage to its loss, and advances the state once.
     *
     * @param input the activations of the stage before; on the first stage, the samples
     * @param keep  whether {@link #backward} will follow on the result itself. Otherwise nothing but its output is kept
     */
    Activation forward(WeightSlot weights, MicroBatch batch, Frame input, Graph keep);

    /**
     * Computes a micro-batch forward once more and keeps the graph. The state does not advance, because the first pass
     * has advanced it already. With the same weights, the graph has the bits of the first pass.
     *
     * @param input the frame that the first pass had
     */
    Activation recompute(WeightSlot weights, MicroBatch batch, Frame input);

    /**
     * Goes backward through a graph that was kept, with the present values of its slot, and adds the gradient by the
     * parameters to the accumulated gradient. Not for the last stage.
     *
     * @param outputGradient the gradient by the output, with the output's shapes
     * @return the gradient by the input; empty on the first stage, whose input are samples
     */
    Optional<Frame> backward(Activation activation, Frame outputGradient);

    /**
     * Goes backward from the loss of the last stage like {@link #backward}, with the gradient of {@code factor * loss}.
     *
     * @return the gradient by the input; empty if this is the first stage too
     */
    Optional<Frame> backwardFromLoss(Activation activation, float factor);

    /**
     * Returns the accumulated gradient itself, in the order of the parameters, and no copy: a stage has no memory to spare.
     * A step may change it in place, and then {@link #clearGradient clears} it.
     *
     * @return {@link #parameterCount} values, valid until the next backward pass
     */
    float[] gradient();

    /** Sets the accumulated gradient to zero. */
    void clearGradient();

    /**
     * Copies the state.
     *
     * @param target {@link #stateCount} places
     */
    void readState(float[] target);

    /** Overwrites the state with {@link #stateCount} values. */
    void writeState(float[] values);

    /** Frees all memory. */
    @Override
    void close();
}
