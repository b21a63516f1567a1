package org.fleetgrad.pipeline.training;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.stage.StageNetwork;
import org.fleetgrad.pipeline.stage.StageNetwork.Graph;
import org.fleetgrad.pipeline.stage.StageNetwork.StageActivation;
import org.fleetgrad.pipeline.stage.StageNetwork.WeightSlot;
import org.jspecify.annotations.Nullable;

/**
 * A stage in plain Java: some layers, mean cross-entropy after the last layer of the network. Its state is a running mean of
 * its outputs, like BatchNorm's, and the number of its updates. It counts live objects, so that tests find leaks.
 */
final class TinyStage implements StageNetwork {

    private final List<TinyLayer> layers;
    private final int parameters;
    private final float[] gradient;
    private final float[] state = new float[2];
    int slotsAlive;
    int graphsAlive;
    int mostGraphs;
    int recomputations;

    TinyStage(List<TinyLayer> layers) {
        this.layers = layers;
        this.parameters = layers.stream().mapToInt(TinyLayer::size).sum();
        this.gradient = new float[parameters];
    }

    private final class Slot implements WeightSlot {
        private final float[] values;
        private boolean isClosed;

        Slot(float[] values) {
            this.values = values.clone();
            slotsAlive++;
        }

        @Override
        public void set(float[] others) {
            System.arraycopy(others, 0, values(), 0, values.length);
        }

        @Override
        public void get(float[] target) {
            System.arraycopy(values(), 0, target, 0, values.length);
        }

        float[] values() {
            if (isClosed) {
                throw new IllegalStateException("a slot was used after it was closed");
            }
            return values;
        }

        @Override
        public void close() {
            if (!isClosed) {
                isClosed = true;
                slotsAlive--;
            }
        }
    }

    private final class Result implements StageActivation {
        private final Slot slot;
        private final MicroBatch batch;
        private final float[] values;
        private @Nullable List<TinyLayer.Pass> passes;

        Result(Slot slot, MicroBatch batch, float[] values, @Nullable List<TinyLayer.Pass> passes) {
            this.slot = slot;
            this.batch = batch;
            this.values = values;
            this.passes = passes;
            if (passes != null) {
                graphsAlive++;
                mostGraphs = Math.max(mostGraphs, graphsAlive);
            }
        }

        @Override
        public Frame output() {
            if (isLast()) {
                throw new IllegalStateException("the last stage has no output");
            }
            int width = layers.get(layers.size() - 1).outputs();
            return Frame.activation(batch.index(), values, values.length / width, width);
        }

        @Override
        public float loss() {
            double sum = 0;
            int classes = layers.get(layers.size() - 1).outputs();
            for (int n = 0; n < batch.targets().length; n++) {
                sum -= StrictMath.log(probabilities(n, classes)[(int) batch.targets()[n]]);
            }
            return (float) (sum / batch.targets().length);
        }

        private double[] probabilities(int sample, int classes) {
            double[] shares = new double[classes];
            double sum = 0;
            for (int c = 0; c < classes; c++) {
                shares[c] = StrictMath.exp(values[sample * classes + c]);
                sum += shares[c];
            }
            for (int c = 0; c < classes; c++) {
                shares[c] /= sum;
            }
            return shares;
        }

        @Override
        public OptionalInt correct() {
            if (!isLast()) {
                return OptionalInt.empty();
            }
            int classes = layers.get(layers.size() - 1).outputs();
            int right = 0;
            for (int n = 0; n < batch.targets().length; n++) {
                int best = 0;
                for (int c = 1; c < classes; c++) {
                    best = values[n * classes + c] > values[n * classes + best] ? c : best;
                }
                right += best == batch.targets()[n] ? 1 : 0;
            }
            return OptionalInt.of(right);
        }

        float[] lossGradient(float factor) {
            int classes = layers.get(layers.size() - 1).outputs();
            int samples = batch.targets().length;
            float[] by = new float[values.length];
            for (int n = 0; n < samples; n++) {
                double[] shares = probabilities(n, classes);
                for (int c = 0; c < classes; c++) {
                    double error = shares[c] - (c == batch.targets()[n] ? 1 : 0);
                    by[n * classes + c] = (float) (error / samples) * factor;
                }
            }
            return by;
        }

        @Override
        public void close() {
            if (passes != null) {
                passes = null;
                graphsAlive--;
            }
        }
    }

    @Override
    public boolean isLast() {
        return layers.get(layers.size() - 1).isLogits();
    }

    @Override
    public int parameterCount() {
        return parameters;
    }

    @Override
    public int stateCount() {
        return state.length;
    }

    @Override
    public WeightSlot allocate(float[] values) {
        return new Slot(values);
    }

    @Override
    public StageActivation forward(WeightSlot weights, MicroBatch batch, Frame input, Graph keep) {
        Result result = compute(weights, batch, input, keep == Graph.RETAINED);
        double mean = 0;
        for (float value : result.values) {
            mean += value;
        }
        state[0] = (float) (0.9 * state[0] + 0.1 * mean / result.values.length);
        state[1]++;
        return result;
    }

    @Override
    public StageActivation recompute(WeightSlot weights, MicroBatch batch, Frame input) {
        recomputations++;
        return compute(weights, batch, input, true);
    }

    private Result compute(WeightSlot weights, MicroBatch batch, Frame input, boolean isKept) {
        Slot slot = (Slot) weights;
        List<TinyLayer.Pass> passes = new ArrayList<>();
        float[] values = input.toArray();
        for (TinyLayer layer : layers) {
            TinyLayer.Pass pass = layer.forward(slot.values(), values, batch.seed());
            passes.add(pass);
            values = pass.output();
        }
        return new Result(slot, batch, values, isKept ? passes : null);
    }

    @Override
    public Optional<Frame> backward(StageActivation activation, Frame outputGradient) {
        return backward((Result) activation, outputGradient.toArray());
    }

    @Override
    public Optional<Frame> backwardFromLoss(StageActivation activation, float factor) {
        Result result = (Result) activation;
        return backward(result, result.lossGradient(factor));
    }

    private Optional<Frame> backward(Result result, float[] outputGradient) {
        if (result.passes == null) {
            throw new IllegalStateException("the graph was not kept");
        }
        float[] by = outputGradient;
        for (int l = layers.size() - 1; l >= 0; l--) {
            by = layers.get(l).backward(result.slot.values(), result.passes.get(l), by, gradient);
        }
        int width = layers.get(0).inputs();
        return layers.get(0).number() == 0
                ? Optional.empty()
                : Optional.of(Frame.gradient(result.batch.index(), by, by.length / width, width));
    }

    @Override
    public float[] gradient() {
        return gradient;
    }

    @Override
    public void clearGradient() {
        Arrays.fill(gradient, 0);
    }

    @Override
    public void readState(float[] target) {
        System.arraycopy(state, 0, target, 0, state.length);
    }

    @Override
    public void writeState(float[] values) {
        System.arraycopy(values, 0, state, 0, state.length);
    }

    @Override
    public void close() {
        if (slotsAlive != 0 || graphsAlive != 0) {
            throw new IllegalStateException(
                    "%d slots and %d graphs are alive at the end".formatted(slotsAlive, graphsAlive));
        }
    }
}
