package org.fleetgrad.pipeline.cut;

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

    /** Returns the sum of the costs of the blocks, wherever the stage is. */
    static StageCost sum(double[] blocks) {
        double[] before = new double[blocks.length + 1];
        for (int i = 0; i < blocks.length; i++) {
            before[i + 1] = before[i] + blocks[i];
        }
        return (stage, from, to) -> before[to] - before[from];
    }
}
