package org.fleetgrad.libtorch;

import ai.djl.engine.Engine;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.libtorch.Steps.Pass;
import org.fleetgrad.libtorch.Steps.Step;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.frame.Frame.Direction;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.stage.StageNetwork;
import org.fleetgrad.pipeline.stage.StageNetwork.Graph;
import org.fleetgrad.pipeline.stage.StageNetwork.StageActivation;
import org.fleetgrad.pipeline.stage.StageNetwork.WeightSlot;
import org.fleetgrad.pipeline.stage.TiedTensor;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of a network as a {@link StageNetwork}, on the processor. Parameters and state are in the order of
 * {@link BlockRange#parameters} and {@link BlockRange#state}.
 *
 * <p>Each pass has its own manager, and its own leaves over the memory of the slot. So two passes share only the values of the
 * slot, and freeing one frees nothing of another.
 */
final class LibtorchStage implements StageNetwork {

    private final BlockRange range;
    private final Step forward;
    private final float labelSmoothing;
    private final PtNDManager manager;
    private final NativeTensors state;
    /** Receives the statistics of a recomputation, which are never read. */
    private final NativeTensors unread;

    private final GradientSum gradient;
    private final Optional<TiedTensor> tied;
    /** The copy of another stage's tensor; empty on most stages. */
    private final NativeTensors copy;

    private float[] ofCopy = new float[0];
    private @Nullable FloatBuffer ofOtherUse;

    LibtorchStage(BlockRange range, float labelSmoothing, Engine engine) {
        CrossEntropy.requireSmoothing(labelSmoothing);
        this.range = range;
        this.labelSmoothing = labelSmoothing;
        List<TensorSpec> places = new ArrayList<>(range.parameters().specs());
        places.addAll(range.tied().specs());
        places.addAll(range.state().specs());
        this.forward = Steps.of(range.layers(), TensorLayout.inOrder(places));
        this.manager = (PtNDManager) engine.newBaseManager(ai.djl.Device.cpu());
        float[] initial = range.initialState();
        this.state = new NativeTensors(range.state(), manager, initial);
        this.unread = new NativeTensors(range.state(), manager, initial);
        this.gradient = new GradientSum(parameterCount());
        this.tied = TiedTensor.of(range);
        this.copy = new NativeTensors(
                range.tied(), manager, new float[Math.toIntExact(range.tied().elementCount())]);
    }

    @Override
    public boolean isLast() {
        return range.isLast();
    }

    @Override
    public int parameterCount() {
        return Math.toIntExact(range.parameters().elementCount());
    }

    @Override
    public int stateCount() {
        return Math.toIntExact(range.state().elementCount());
    }

    @Override
    public WeightSlot allocate(float[] values) {
        return new Slot(new NativeTensors(range.parameters(), manager, values));
    }

    @Override
    public StageActivation forward(WeightSlot weights, MicroBatch batch, Frame input, Graph keep) {
        return run(weights, batch, input, keep == Graph.RETAINED, state);
    }

    @Override
    public StageActivation recompute(WeightSlot weights, MicroBatch batch, Frame input) {
        return run(weights, batch, input, true, unread);
    }

    private StageActivation run(
            WeightSlot weights, MicroBatch batch, Frame input, boolean isRetained, NativeTensors observed) {
        requireShape(input, range.input());
        if (range.isFirst()) {
            BatchInput.requireIndices(input.values(), range.network().spec().task());
        }
        int count = Math.toIntExact(input.shape().get(0));
        Targets targets = isLast()
                ? Targets.of(batch.targets(), count, range.network().spec().task(), labelSmoothing, LossWeights.EQUAL)
                : Targets.NONE;
        NativeTensors slot = ((Slot) weights).tensorsFor(this);
        PtNDManager scope = (PtNDManager) manager.newSubManager();
        boolean isOpen = false;
        try {
            PtNDArray x = array(scope, input);
            PtNDArray[] tensors = tensors(slot, observed, isRetained, scope);
            Pass pass = new Pass(tensors, true, batch.seed(), x);
            StageActivation activation = isRetained
                    ? GradientMode.on(() -> {
                        if (!range.isFirst()) {
                            JniUtils.attachGradient(x, true);
                        }
                        return finish(x, pass, batch, targets, true);
                    })
                    : GradientMode.off(() -> finish(x, pass, batch, targets, false));
            isOpen = isRetained;
            return activation;
        } finally {
            if (!isOpen) {
                scope.close();
            }
        }
    }

    /** Returns the parameters, the copy and the state; the first two as leaves if a graph is kept. */
    private PtNDArray[] tensors(NativeTensors slot, NativeTensors observed, boolean isRetained, PtNDManager scope) {
        PtNDArray[] tensors = Stream.of(slot, copy, observed)
                .flatMap(each -> Arrays.stream(each.arrays()))
                .toArray(PtNDArray[]::new);
        for (int i = 0; isRetained && i < leaves(); i++) {
            tensors[i] = Tensors.leaf(tensors[i]);
            tensors[i].attach(scope);
        }
        return tensors;
    }

    private int leaves() {
        return range.parameters().size() + range.tied().size();
    }

    private LibtorchActivation finish(PtNDArray x, Pass pass, MicroBatch batch, Targets targets, boolean isRetained) {
        PtNDArray output = forward.run(x, pass);
        Frame frame = null;
        LibtorchActivation.Score score = null;
        if (isLast()) {
            float[] logits = output.toFloatArray();
            output = targets.loss(output);
            score = new LibtorchActivation.Score(output.getFloat(), targets.right(logits));
        } else {
            // A graph already has the values; a second copy would stay in the heap until the backward pass.
            frame = isRetained ? null : copy(Direction.FORWARD, batch.index(), output);
        }
        PtNDArray[] leaves = Arrays.copyOf(pass.tensors(), leaves());
        return new LibtorchActivation(
                this,
                batch.index(),
                frame,
                score,
                isRetained ? new LibtorchActivation.RetainedGraph(x.getManager(), x, leaves, output) : null);
    }

    @Override
    public Optional<Frame> backward(StageActivation activation, Frame outputGradient) {
        if (isLast()) {
            throw new IllegalStateException("the last stage goes backward from its loss");
        }
        LibtorchActivation.RetainedGraph retained = ((LibtorchActivation) activation).graphFor(this);
        requireShape(outputGradient, range.output());
        List<Long> shape = shape(retained.output());
        if (!outputGradient.shape().equals(shape)) {
            throw new IllegalArgumentException("the gradient of micro-batch %d has the shape %s, its activation %s"
                    .formatted(outputGradient.microBatch(), outputGradient.shape(), shape));
        }
        return backward(activation, retained, outputGradient.microBatch(), array(retained.scope(), outputGradient));
    }

    @Override
    public Optional<Frame> backwardFromLoss(StageActivation activation, float factor) {
        if (!isLast()) {
            throw new IllegalStateException("%s is not the last stage and has no loss".formatted(this));
        }
        LibtorchActivation result = (LibtorchActivation) activation;
        LibtorchActivation.RetainedGraph retained = result.graphFor(this);
        PtNDArray seed = (PtNDArray)
                retained.scope().create(new float[] {factor}, retained.output().getShape());
        return backward(activation, retained, result.microBatch(), seed);
    }

    private Optional<Frame> backward(
            StageActivation activation,
            LibtorchActivation.RetainedGraph retained,
            long microBatch,
            PtNDArray outputGradient) {
        try (activation) {
            JniUtils.backward(retained.output(), outputGradient, false, false);
            accumulate(retained.leaves());
            if (range.isFirst()) {
                return Optional.empty();
            }
            try (PtNDArray ofInput = JniUtils.getGradient(retained.input())) {
                return Optional.of(copy(Direction.BACKWARD, microBatch, ofInput));
            }
        }
    }

    private void accumulate(PtNDArray[] leaves) {
        int own = range.parameters().size();
        if (own < leaves.length) {
            ofCopy = new float[copy.count()];
            try (PtNDArray of = JniUtils.getGradient(leaves[own])) {
                NativeTensors.values(of).get(ofCopy);
            }
        }
        gradient.add(Arrays.copyOf(leaves, own), tied.map(TiedTensor::offset).orElse(0), ofOtherUse);
        ofOtherUse = null;
    }

    @Override
    public Optional<TiedTensor> tied() {
        return tied;
    }

    @Override
    public void writeTied(FloatBuffer values) {
        copy.set(values);
    }

    @Override
    public float[] tiedGradient() {
        return ofCopy;
    }

    @Override
    public void addTied(FloatBuffer values) {
        ofOtherUse = values;
    }

    @Override
    public float[] gradient() {
        return gradient.values();
    }

    @Override
    public void clearGradient() {
        gradient.clear();
    }

    @Override
    public void readState(float[] target) {
        state.get(target);
    }

    @Override
    public void writeState(float[] values) {
        state.set(values);
    }

    private void requireShape(Frame frame, List<Integer> sample) {
        List<Long> expected = new ArrayList<>();
        expected.add(frame.shape().isEmpty() ? 0L : frame.shape().get(0));
        sample.forEach(side -> expected.add((long) side));
        if (expected.get(0) < 1 || !frame.shape().equals(expected)) {
            throw new IllegalArgumentException(
                    "%s takes samples of %s, one or more of them; the frame of micro-batch %d (%s) has the shape %s"
                            .formatted(
                                    this,
                                    frame.direction() == Direction.FORWARD ? sample : "gradients of " + sample,
                                    frame.microBatch(),
                                    frame.direction(),
                                    frame.shape()));
        }
    }

    private static PtNDArray array(PtNDManager scope, Frame frame) {
        PtNDArray array = NativeTensors.empty(scope, frame.shape());
        NativeTensors.values(array).put(frame.values());
        return array;
    }

    private static Frame copy(Direction direction, long microBatch, PtNDArray array) {
        FloatBuffer values = NativeTensors.values(array);
        FloatBuffer copy = FloatBuffer.allocate(values.remaining()).put(values).flip();
        return new Frame(direction, microBatch, shape(array), copy);
    }

    private static List<Long> shape(PtNDArray array) {
        return Arrays.stream(array.getShape().getShape()).boxed().toList();
    }

    /** Returns the output of a retained graph, as a frame. */
    static Frame outputOf(LibtorchActivation.RetainedGraph retained, long microBatch) {
        return copy(Direction.FORWARD, microBatch, retained.output());
    }

    @Override
    public void close() {
        manager.close();
    }

    @Override
    public String toString() {
        return range.toString();
    }

    /** A {@link WeightSlot} in libtorch's memory. */
    private final class Slot implements WeightSlot {

        private final NativeTensors tensors;

        Slot(NativeTensors tensors) {
            this.tensors = tensors;
        }

        /**
         * {@inheritDoc}
         *
         * <p>libtorch does not see the write: its version counter counts only its own in-place operations, and after one it
         * would refuse the backward pass.
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
            if (user != LibtorchStage.this) {
                throw new IllegalArgumentException(
                        "the slot is of %s, the stage is %s".formatted(LibtorchStage.this, user));
            }
            return tensors;
        }

        @Override
        public void close() {
            tensors.close();
        }
    }
}
