package org.fleetgrad.pipeline.cut;

import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.pipeline.cure.Combination;

/**
 * The most memory that a stage takes, in bytes. What any stage takes comes on top: the JVM, libtorch and its work space.
 *
 * @param weights     the live parameters, in the engine and in the optimizer, and the state
 * @param gradients   one of the backward pass, their sum, and the one that is stepped with
 * @param optimizer   the optimizer's arrays, such as the momentum
 * @param stashed     other versions of the parameters
 * @param activations what is kept of micro-batches in flight, their frames, and the work on one of them
 */
public record StageMemory(long weights, long gradients, long optimizer, long stashed, long activations) {

    private static final int COPIES_OF_WEIGHTS = 2;
    private static final int COPIES_OF_GRADIENTS = 3;

    /**
     * What a run does that memory follows from.
     *
     * @param samples         of one micro-batch
     * @param optimizerArrays how many values the optimizer has for each parameter: 1 for momentum, 2 for Adam; one more if
     *     it predicts, and one more if it measures the gap to stashed weights
     * @param isRecomputing   whether a stage keeps its input only, and computes the rest again
     */
    public record Use(int samples, int optimizerArrays, boolean isRecomputing) {

        /** Returns what a pipeline does that trains like this. */
        public static Use of(Combination combination, int samples) {
            int arrays =
                    arrays(combination.optimizer()) + (combination.prediction().isPresent() ? 1 : 0);
            if (combination.gapPenalty().isPresent()) {
                // The mean of the squares, and the weights that the gap is measured to.
                arrays += combination.stash() ? 2 : 1;
            }
            return new Use(samples, arrays, combination.recompute());
        }

        private static int arrays(OptimizerSettings optimizer) {
            if (optimizer instanceof SgdSettings sgd) {
                return sgd.momentum() == 0 ? 0 : 1;
            }
            boolean isAmsgrad =
                    optimizer instanceof AdamSettings adam ? adam.amsgrad() : ((AdamWSettings) optimizer).amsgrad();
            return isAmsgrad ? 3 : 2;
        }
    }

    /** Computes the memory of a stage. */
    public static StageMemory of(BlockRange stage, Use use, InFlight held) {
        long parameters = Float.BYTES * stage.parameters().elementCount();
        long input = Float.BYTES
                * stage.input().stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
        long kept = KeptActivations.bytesOfSample(stage.layers(), stage.input());
        // Two such pairs: the arrays of a layer, and in the backward pass their gradients.
        long work = 2 * KeptActivations.workOfSample(stage.layers(), stage.input());
        // The last stage goes backward at once; there is nothing to compute again.
        int graphs = use.isRecomputing() || stage.isLast() ? 1 : held.microBatches();
        long ofSample = held.microBatches() * input + graphs * kept + work;
        return new StageMemory(
                COPIES_OF_WEIGHTS * parameters + 2 * Float.BYTES * stage.state().elementCount(),
                COPIES_OF_GRADIENTS * parameters,
                use.optimizerArrays() * parameters,
                (held.versions() - 1) * parameters,
                use.samples() * ofSample);
    }

    /** Returns all bytes together. */
    public long total() {
        return weights + gradients + optimizer + stashed + activations;
    }
}
