package org.fleetgrad.benchmarks.pipeline;

import java.util.Optional;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.stage.StageNetwork;
import org.fleetgrad.pipeline.stage.StageNetwork.Graph;
import org.fleetgrad.pipeline.stage.StageNetwork.StageActivation;
import org.fleetgrad.pipeline.stage.StageNetwork.WeightSlot;

/**
 * A stage that sleeps instead of computing, so that several stages take equally long on any number of processors. It
 * has one parameter, and its gradient is always 1. Whether it recomputes or not, the backward pass takes the same time.
 */
final class SleepingNetwork implements StageNetwork {

    private final StagePlace place;
    private final long forwardMillis;
    private final long backwardMillis;
    private final float[] gradient = new float[1];

    SleepingNetwork(StagePlace place, long forwardMillis, long backwardMillis) {
        this.place = place;
        this.forwardMillis = forwardMillis;
        this.backwardMillis = backwardMillis;
    }

    private record Slot(float[] values) implements WeightSlot {
        @Override
        public void set(float[] others) {
            System.arraycopy(others, 0, values, 0, values.length);
        }

        @Override
        public void get(float[] target) {
            System.arraycopy(values, 0, target, 0, values.length);
        }

        @Override
        public void close() {
            // Plain memory.
        }
    }

    private final class Result implements StageActivation {
        private final long microBatch;

        Result(long microBatch) {
            this.microBatch = microBatch;
        }

        @Override
        public Frame output() {
            if (isLast()) {
                throw new IllegalStateException("the last stage has no output");
            }
            return Frame.activation(microBatch, new float[1], 1, 1);
        }

        @Override
        public float loss() {
            return 1;
        }

        @Override
        public void close() {
            // Plain memory.
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("a stage was interrupted in its sleep", interrupted);
        }
    }

    @Override
    public boolean isLast() {
        return place.isLast();
    }

    @Override
    public int parameterCount() {
        return 1;
    }

    @Override
    public int stateCount() {
        return 0;
    }

    @Override
    public WeightSlot allocate(float[] values) {
        return new Slot(values.clone());
    }

    @Override
    public StageActivation forward(WeightSlot weights, MicroBatch batch, Frame input, Graph keep) {
        sleep(forwardMillis);
        return new Result(batch.index());
    }

    @Override
    public StageActivation recompute(WeightSlot weights, MicroBatch batch, Frame input) {
        return new Result(batch.index());
    }

    @Override
    public Optional<Frame> backward(StageActivation activation, Frame outputGradient) {
        return backward((Result) activation);
    }

    @Override
    public Optional<Frame> backwardFromLoss(StageActivation activation, float factor) {
        return backward((Result) activation);
    }

    private Optional<Frame> backward(Result result) {
        sleep(backwardMillis);
        gradient[0] = 1;
        return place.isFirst() ? Optional.empty() : Optional.of(Frame.gradient(result.microBatch, new float[1], 1, 1));
    }

    @Override
    public float[] gradient() {
        return gradient;
    }

    @Override
    public void clearGradient() {
        gradient[0] = 0;
    }

    @Override
    public void readState(float[] target) {
        // There is none.
    }

    @Override
    public void writeState(float[] values) {
        // There is none.
    }

    @Override
    public void close() {
        // Plain memory.
    }
}
