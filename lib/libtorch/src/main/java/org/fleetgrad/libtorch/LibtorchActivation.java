package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import java.util.OptionalInt;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.stage.StageNetwork.StageActivation;
import org.jspecify.annotations.Nullable;

/** The result of a forward pass of a {@link LibtorchStage}. */
final class LibtorchActivation implements StageActivation {

    /**
     * The graph that a backward pass needs.
     *
     * @param scope  of all arrays of the pass; the leaves share the memory of their slot
     * @param input  as received in the frame
     * @param leaves the parameters, by their places in the layout
     * @param output the activation, or on the last stage the loss
     */
    record RetainedGraph(PtNDManager scope, PtNDArray input, PtNDArray[] leaves, PtNDArray output) {}

    /** The result of the last stage. */
    record Score(float loss, int correct) {}

    private final LibtorchStage stage;
    private final long microBatch;
    private final @Nullable Frame output;
    private final @Nullable Score score;
    private @Nullable RetainedGraph retained;

    LibtorchActivation(
            LibtorchStage stage,
            long microBatch,
            @Nullable Frame output,
            @Nullable Score score,
            @Nullable RetainedGraph retained) {
        this.stage = stage;
        this.microBatch = microBatch;
        this.output = output;
        this.score = score;
        this.retained = retained;
    }

    @Override
    public Frame output() {
        if (score != null) {
            throw new IllegalStateException("the last stage ends in the loss and has no output");
        }
        return output == null ? LibtorchStage.outputOf(graphFor(stage), microBatch) : output;
    }

    @Override
    public float loss() {
        if (score == null) {
            throw new IllegalStateException("%s is not the last stage and has no loss".formatted(stage));
        }
        return score.loss();
    }

    @Override
    public OptionalInt correct() {
        return score == null ? OptionalInt.empty() : OptionalInt.of(score.correct());
    }

    /** Returns the micro-batch's place in the run. */
    long microBatch() {
        return microBatch;
    }

    /** Returns the graph that is retained for a backward pass of this stage. */
    RetainedGraph graphFor(LibtorchStage user) {
        if (user != stage) {
            throw new IllegalArgumentException("the activation is of %s, the stage is %s".formatted(stage, user));
        }
        if (retained == null) {
            throw new IllegalStateException(
                    "no graph of micro-batch %d is kept: it was dropped, went backward, or is closed"
                            .formatted(microBatch));
        }
        return retained;
    }

    @Override
    public void close() {
        if (retained != null) {
            retained.scope().close();
            retained = null;
        }
    }
}
