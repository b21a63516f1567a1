package org.fleetgrad.libtorch;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.frame.Frame.Direction;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.stage.StageNetwork;
import org.fleetgrad.pipeline.stage.StageNetwork.Graph;
import org.fleetgrad.pipeline.stage.StageNetwork.StageActivation;
import org.fleetgrad.pipeline.stage.StageNetwork.WeightSlot;
import org.fleetgrad.protocol.tensor.TensorLayout;

/** The stages of one network, each with one slot, run one after the other in one thread. */
final class StageChain implements AutoCloseable {

    /** The inputs and activations of a micro-batch in each stage. */
    record Passed(MicroBatch batch, List<Frame> inputs, List<StageActivation> activations) {
        float loss() {
            return activations.get(activations.size() - 1).loss();
        }
    }

    private final NetworkDefinition network;
    private final List<BlockRange> ranges = new ArrayList<>();
    private final List<StageNetwork> stages = new ArrayList<>();
    private final List<WeightSlot> slots = new ArrayList<>();

    /** Cuts into stages with about the same number of blocks. */
    StageChain(NetworkDefinition network, int count, long seed, float labelSmoothing) {
        this.network = network;
        int blocks = network.blocks().size();
        for (int i = 0; i < count; i++) {
            BlockRange range = BlockRange.of(network, i * blocks / count, (i + 1) * blocks / count);
            StageNetwork stage = Libtorch.stage(range, labelSmoothing);
            ranges.add(range);
            stages.add(stage);
            slots.add(stage.allocate(range.initialParameters(seed)));
        }
    }

    StageNetwork stage(int index) {
        return stages.get(index);
    }

    WeightSlot slot(int index) {
        return slots.get(index);
    }

    static Frame images(BlockRange range, TestBatch batch, long microBatch) {
        List<Long> shape = new ArrayList<>(List.of((long) batch.count()));
        range.input().forEach(side -> shape.add((long) side));
        return new Frame(Direction.FORWARD, microBatch, shape, FloatBuffer.wrap(batch.images()));
    }

    Passed forward(TestBatch batch, long index, long seed, Graph keep) {
        List<Frame> inputs = new ArrayList<>();
        List<StageActivation> activations = new ArrayList<>();
        MicroBatch microBatch = new MicroBatch(index, seed, batch.labels());
        Frame frame = images(ranges.get(0), batch, index);
        for (int i = 0; i < stages.size(); i++) {
            inputs.add(frame);
            StageActivation activation = stages.get(i).forward(slots.get(i), microBatch, frame, keep);
            activations.add(activation);
            frame = stages.get(i).isLast() ? frame : activation.output();
        }
        return new Passed(microBatch, inputs, activations);
    }

    Passed recompute(Passed passed) {
        List<StageActivation> activations = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++) {
            activations.add(stages.get(i)
                    .recompute(slots.get(i), passed.batch(), passed.inputs().get(i)));
        }
        return new Passed(passed.batch(), passed.inputs(), activations);
    }

    void backward(Passed passed) {
        int last = stages.size() - 1;
        Frame gradient = stages.get(last)
                .backwardFromLoss(passed.activations().get(last), 1)
                .orElse(null);
        for (int i = last - 1; i >= 0; i--) {
            gradient = stages.get(i)
                    .backward(passed.activations().get(i), Objects.requireNonNull(gradient))
                    .orElse(null);
        }
        passed.activations().forEach(StageActivation::close);
    }

    void clearState() {
        stages.forEach(stage -> stage.writeState(new float[stage.stateCount()]));
    }

    /** Joins gradients, and the state for state tensors, in the order of the network's layout. */
    float[] gradientAndState() {
        float[] all = new float[(int) network.spec().layout().elementCount()];
        for (int i = 0; i < stages.size(); i++) {
            place(ranges.get(i).parameters(), stages.get(i).gradient(), all);
            float[] state = new float[stages.get(i).stateCount()];
            stages.get(i).readState(state);
            place(ranges.get(i).state(), state, all);
        }
        return all;
    }

    private void place(TensorLayout layout, float[] values, float[] all) {
        TensorLayout whole = network.spec().layout();
        for (int i = 0; i < layout.size(); i++) {
            int to = (int) (whole.byteOffset(
                            whole.indexOf(layout.specs().get(i).name()).orElseThrow())
                    / Float.BYTES);
            int from = (int) (layout.byteOffset(i) / Float.BYTES);
            System.arraycopy(values, from, all, to, (int) layout.specs().get(i).elementCount());
        }
    }

    /** What the complete network drains: the state's buffers, corrected for their zero initialization. */
    float[] drained(int batches) {
        float[] all = gradientAndState();
        TensorLayout layout = network.spec().layout();
        for (int i = 0; i < layout.size(); i++) {
            Float momentum =
                    network.spec().state().momenta().get(layout.specs().get(i).name());
            if (momentum != null) {
                int from = (int) (layout.byteOffset(i) / Float.BYTES);
                int to = from + (int) layout.specs().get(i).elementCount();
                double factor = 1 / (1 - Math.pow(1 - momentum, batches));
                for (int at = from; at < to; at++) {
                    all[at] = (float) (all[at] * factor);
                }
            }
        }
        return all;
    }

    /** Another set of values near the first one, as after a step. */
    static float[] moved(float[] values) {
        float[] moved = Arrays.copyOf(values, values.length);
        for (int i = 0; i < moved.length; i++) {
            moved[i] += 0.01f * (i % 7 - 3) * (1 + Math.abs(moved[i]));
        }
        return moved;
    }

    @Override
    public void close() {
        stages.forEach(StageNetwork::close);
    }
}
