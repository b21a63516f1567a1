package org.fleetgrad.pipeline.run;

import java.util.List;

/**
 * The complete configuration of a stage's program: plain values, so that it can be sent as JSON.
 *
 * @param network        the network's complete name
 * @param stages         number of stages
 * @param stage          this one, from 0
 * @param fromBlock      index of its first block
 * @param toBlock        index of its last block, exclusive
 * @param cures          how the pipeline trains
 * @param optimizer      of the stage, as {@link org.fleetgrad.optim.OptimizerSpec} prints it
 * @param learningRate   the first one of the run
 * @param schedule       of the learning rate, in samples, as {@link org.fleetgrad.optim.ScheduleSpec} prints it
 * @param labelSmoothing share of a label that is spread over all classes
 * @param shards         files of the shards, by their paths on this program's machine or container
 * @param samples        number of samples of each shard
 * @param microBatch     samples of a micro-batch
 * @param flushEvery     steps between two flushes; 0 for the ends of epochs only
 * @param epochs         of the run
 * @param augmentation   how training images are changed at random
 * @param seed           of the parameters, the order of samples, and everything random
 * @param flushes        folder for this stage's part of each flush
 * @param beginning      where the weights come from: a part of a flush, a parameter set, or empty for random initialization
 * @param next           host and port of the stage after; empty on the last stage, or if it is in this process
 * @param last           host and port of the last stage, for the first one if they share a tensor; otherwise empty
 * @param memoryBytes    memory limit of the program; 0 for no limit
 */
public record StageConfiguration(
        String network,
        int stages,
        int stage,
        int fromBlock,
        int toBlock,
        CureChoice cures,
        String optimizer,
        double learningRate,
        String schedule,
        double labelSmoothing,
        List<String> shards,
        List<Integer> samples,
        int microBatch,
        long flushEvery,
        int epochs,
        String augmentation,
        long seed,
        String flushes,
        Beginning beginning,
        String next,
        String last,
        long memoryBytes) {

    public StageConfiguration {
        shards = List.copyOf(shards);
        samples = List.copyOf(samples);
    }

    /**
     * Where a stage's weights come from.
     *
     * @param kind drawn, model or flush
     * @param file the parameter set, or the part of the flush; empty for random initialization
     */
    public record Beginning(String kind, String file) {

        /** Initializes them at random from the seed. */
        public static final Beginning DRAWN = new Beginning("drawn", "");

        /** Reads them from a parameter set of the complete network. */
        public static Beginning ofModel(String file) {
            return new Beginning("model", file);
        }

        /** Continues from a flush, with the optimizer's state. */
        public static Beginning ofFlush(String file) {
            return new Beginning("flush", file);
        }
    }
}
