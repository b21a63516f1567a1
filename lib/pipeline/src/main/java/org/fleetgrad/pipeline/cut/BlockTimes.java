package org.fleetgrad.pipeline.cut;

import java.util.List;

/**
 * How long each block takes for one micro-batch, in seconds.
 *
 * @param forward  of each block, in order
 * @param backward of each block, in order
 */
public record BlockTimes(List<Double> forward, List<Double> backward) {

    public BlockTimes {
        forward = List.copyOf(forward);
        backward = List.copyOf(backward);
        if (forward.size() != backward.size()) {
            throw new IllegalArgumentException(
                    "%d blocks were timed forward, %d backward".formatted(forward.size(), backward.size()));
        }
    }

    /** Returns the seconds of neighbouring blocks, forward and backward, and forward again if it recomputes. */
    public double of(int from, int to, boolean isRecomputing) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += (isRecomputing ? 2 : 1) * forward.get(i) + backward.get(i);
        }
        return sum;
    }

    /** Returns the time as a cost. The last stage never recomputes. */
    public StageCost cost(boolean isRecomputing) {
        return (stage, from, to) -> of(from, to, isRecomputing && to < forward.size());
    }
}
