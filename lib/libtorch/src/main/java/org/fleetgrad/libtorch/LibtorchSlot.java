package org.fleetgrad.libtorch;

import org.fleetgrad.pipeline.stage.StageNetwork.WeightSlot;

/** A {@link WeightSlot} in libtorch's memory. */
final class LibtorchSlot implements WeightSlot {

    private final LibtorchStage stage;
    private final NativeTensors tensors;

    LibtorchSlot(LibtorchStage stage, NativeTensors tensors) {
        this.stage = stage;
        this.tensors = tensors;
    }

    /**
     * {@inheritDoc}
     *
     * <p>libtorch does not see the write: its version counter counts only its own in-place operations, and after one it would
     * refuse the backward pass.
     */
    @Override
    public void set(float[] values) {
        tensors.set(values);
    }

    @Override
    public void get(float[] target) {
        tensors.get(target);
    }

    /** Returns the tensors, which must be of this stage. */
    NativeTensors tensorsFor(LibtorchStage user) {
        if (user != stage) {
            throw new IllegalArgumentException("the slot is of %s, the stage is %s".formatted(stage, user));
        }
        return tensors;
    }

    @Override
    public void close() {
        tensors.close();
    }
}
