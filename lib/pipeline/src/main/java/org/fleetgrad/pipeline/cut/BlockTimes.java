package org.fleetgrad.pipeline.cut;

import java.util.List;

/**
 * How long each block takes for one micro-batch, in seconds.
 *
 * @param forward  of each block, in order
 * @param backward of each block, in order
 * @param step     of each block, in order: the optimizer's time after every micro-batch
 */
public record BlockTimes(List<Double> forward, List<Double> backward, List<Double> step) {

    public BlockTimes {
        forward = List.copyOf(forward);
        backward = List.copyOf(backward);
        step = List.copyOf(step);
        if (forward.size() != backward.size() || forward.size() != step.size()) {
            throw new IllegalArgumentException("%d blocks were timed forward, %d backward, %d in their step"
                    .formatted(forward.size(), backward.size(), step.size()));
        }
    }

    /**
     * Returns the times with a step after every {@code microBatches} micro-batches, its time divided among them.
     *
     * @param microBatches 1 or more
     */
    public BlockTimes withStepEvery(int microBatches) {
        return new BlockTimes(
                forward,
                backward,
                step.stream().map(seconds -> seconds / microBatches).toList());
    }

    /** Returns the seconds of consecutive blocks: forward, once more if it recomputes, backward, and the step. */
    public double of(int from, int to, boolean isRecomputing) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += (isRecomputing ? 2 : 1) * forward.get(i) + backward.get(i) + step.get(i);
        }
        return sum;
    }

    /** Returns the time as a cost. The last stage never recomputes. */
    public StageCost cost(boolean isRecomputing) {
        return (stage, from, to) -> of(from, to, isRecomputing && to < forward.size());
    }

    /** The cost of a stage of some consecutive blocks, such as seconds or bytes. */
    @FunctionalInterface
    public interface StageCost {

        /**
         * Returns the cost, 0 or more.
         *
         * @param stage its place in the pipeline, from 0: the earlier, the more micro-batches and versions it holds
         * @param from  index of its first block
         * @param to    index of its last block, exclusive
         */
        double of(int stage, int from, int to);
    }
}
